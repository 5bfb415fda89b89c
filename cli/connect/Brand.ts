/** Provides the branding of a link's pages: the platform's name, logo and colour. */
import { Effect } from "effect"
import { readFileSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { ConfigError, type Configuration } from "../../sync/library/config/Configuration.ts"
import type { ConnectSettings } from "../../sync/library/config/ConnectSettings.ts"
import { STYLE } from "../page/Style.ts"

export interface Brand {
  readonly name: string
  /** A `data:` address. */
  readonly logo?: string
  readonly style: string
}

const LARGEST_LOGO_BYTES = 100 * 1024

const COLOUR = "#1f4fbf"

/** The relative luminance of a colour (WCAG 2.2), 0 to 1. */
const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast ratio of two colours, 1 to 21; text needs 4.5. */
export const contrast = (one: string, other: string): number => {
  const [bright = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (bright + 0.05) / (dark + 0.05)
}

/** Black or white, whichever is readable on the colour. */
export const textOn = (colour: string): "#000000" | "#ffffff" =>
  contrast(colour, "#ffffff") >= contrast(colour, "#000000") ? "#ffffff" : "#000000"

const styleOf = (colour: string): string => `${STYLE}
:root { --brand: ${colour}; --on-brand: ${textOn(colour)} }
header { border-top: .4rem solid var(--brand) } header img { max-height: 2.5rem; max-width: 12rem; vertical-align: middle }
header > div, main { max-width: 46rem } button.primary, a.primary { background: var(--brand); color: var(--on-brand); border-color: var(--ink); font-weight: 600 }
.steps { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; padding: 0; margin: 1rem 0 0; list-style: none; color: var(--dim); font-size: .9rem } .steps [aria-current] { color: var(--ink); font-weight: 600 }
.field { display: grid; grid-template-columns: minmax(0, 1fr); gap: .2rem; margin: .9rem 0; max-width: 30rem } .field > * { min-width: 0; max-width: 100% } .choice { padding: .8rem 1rem; display: block; border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0 }
.quiet { border: 0; background: none; text-decoration: underline; color: var(--link); padding-left: 0 } summary { cursor: pointer; margin: 1rem 0 .5rem }
`

const TYPES: ReadonlyArray<readonly [string, (head: Buffer) => boolean]> = [
  ["image/png", (head) => head.subarray(0, 4).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47]))],
  ["image/jpeg", (head) => head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ["image/webp", (head) => head.toString("latin1", 0, 4) === "RIFF" && head.toString("latin1", 8, 12) === "WEBP"],
  // SVG shown as an image cannot run scripts.
  ["image/svg+xml", (head) => /^\uFEFF?\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*<svg[\s>]/.test(head.toString("utf8"))]
]

const logoOf = ({ logo = "" }: ConnectSettings, folder: string): string => {
  if (logo.startsWith("data:")) {
    if (!/^data:image\/(png|jpeg|webp|svg\+xml)[;,]/.test(logo)) throw new Error("is not an image that is known")
    if (logo.length > LARGEST_LOGO_BYTES * 1.4) throw new Error("has more than 100 KB")
    return logo
  }
  const path = resolve(folder, logo)
  if (statSync(path).size > LARGEST_LOGO_BYTES) throw new Error("has more than 100 KB")
  const bytes = readFileSync(path)
  const type = TYPES.find(([, is]) => is(bytes))?.[0]
  if (type === undefined) throw new Error("is not a PNG, JPEG, WebP or SVG")
  return `data:${type};base64,${bytes.toString("base64")}`
}

export const brandOf = (
  { file, folder }: Pick<Configuration, "file" | "folder">,
  connect: ConnectSettings
): Effect.Effect<Brand, ConfigError> =>
  Effect.try({
    try: () => ({
      name: connect.name,
      style: styleOf(connect.colour ?? COLOUR),
      ...(connect.logo === undefined ? {} : { logo: logoOf(connect, folder) })
    }),
    catch: (cause) =>
      new ConfigError({
        file,
        problems: [
          `daemon.connect.logo: it ${cause instanceof Error ? cause.message : String(cause)}; name another image`
        ]
      })
  })
