/**
 * Provides the scripts for browsers, each bundled into one file. In a checkout of this repository they are bundled on first
 * request; in the built package this module contains their text, inserted by `cli/build.js`.
 */
import { readdirSync, readFileSync } from "node:fs"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import { given } from "../../Entry.ts"

export interface Scripts {
  /** `/sdk/v1`: loaded by a shop's page. */
  readonly sdk: string
  /** Loaded by the payment frame, by name: `frame.js`, and the chunks that it loads on demand. */
  readonly frame: Readonly<Record<string, string>>
  /** Loaded by the page `/docs/checkout`. */
  readonly docs: string
  /** Texts of the elements by language, each as JSON. */
  readonly locales: Readonly<Record<string, string>>
}

const place = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Bundles an entry with all its imports, including style sheets as text. Modules may be split into chunks. */
const bundle = async (entry: string, format: "iife" | "esm"): Promise<Readonly<Record<string, string>>> => {
  const { build, transform } = await import("esbuild")
  const { outputFiles } = await build({
    entryPoints: { [entry.toLowerCase()]: place(`browser/${entry}.ts`) },
    outdir: "out",
    bundle: true,
    minify: true,
    write: false,
    format,
    splitting: format === "esm",
    chunkNames: "[name]-[hash]",
    target: ["es2022"],
    legalComments: "none",
    plugins: [
      {
        name: "style",
        setup: ({ onLoad }) =>
          onLoad({ filter: /\.css$/ }, async ({ path }) => {
            const { code } = await transform(readFileSync(path, "utf8"), { loader: "css", minify: true })
            return { contents: code.trim(), loader: "text" }
          })
      }
    ]
  })
  return Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text]))
}

const locales = (): Scripts["locales"] => {
  const files = readdirSync(place("locales")).filter((name) => name.endsWith(".json"))
  const compact = (name: string) => JSON.stringify(JSON.parse(readFileSync(place(`locales/${name}`), "utf8")))
  return Object.fromEntries(files.map((name) => [name.replace(".json", ""), compact(name)]))
}

let made: Promise<Scripts> | undefined

export const scripts = (): Promise<Scripts> => {
  made ??= Promise.all([bundle("Sdk", "iife"), bundle("Frame", "esm"), bundle("Docs", "iife")]).then((all) => ({
    sdk: given(all[0]["sdk.js"], "sdk.js"),
    frame: all[1],
    docs: given(all[2]["docs.js"], "docs.js"),
    locales: locales()
  }))
  return made
}
