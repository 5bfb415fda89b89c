/**
 * Checks a page's accessibility with axe.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Frame, Page } from "playwright-core"
import { EFFORT, WHOLE } from "./Effort.ts"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

const SIZES = { light: { width: 1200, height: 800 }, dark: { width: 320, height: 700 } }

/** Light on a screen and dark on a phone; the nightly run has every combination. */
const LOOKS = (["light", "dark"] as const).flatMap((colorScheme) =>
  (EFFORT >= WHOLE ? Object.values(SIZES) : [SIZES[colorScheme]]).map((viewport) => ({ colorScheme, viewport }))
)

/** Checks an open page in each look. The page is not reloaded for each of them. */
export const inEachLook = async (page: Page, check: (name: string, width: number) => Promise<void>): Promise<void> => {
  for (const { colorScheme, viewport } of LOOKS) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    await check(`${colorScheme} ${viewport.width}`, viewport.width)
  }
}

/** The problems that axe finds in a page and its frames. */
export const findings = async (page: Page): Promise<ReadonlyArray<string>> => {
  const allowed = 'axe.configure({ allowedOrigins: ["<unsafe_all_origins>"] })'
  const bring = async (frame: Frame) => {
    if (await frame.evaluate("typeof axe === 'undefined'")) await frame.evaluate(`${axe};${allowed};0`)
  }
  await Promise.all(page.frames().map(bring))
  // The passes are only needed for pages with a frame.
  const types = page.frames().length > 1 ? ["violations", "passes"] : ["violations"]
  const run = `axe.run(document, { resultTypes: ${JSON.stringify(types)} })`
  const { passes, violations } = (await page.evaluate(run)) as Readonly<
    Record<
      "passes" | "violations",
      ReadonlyArray<{ readonly id: string; readonly nodes: ReadonlyArray<{ html: string; target: unknown }> }>
    >
  >
  const looked = JSON.stringify(passes.map(({ nodes }) => nodes.map(({ target }) => target)))
  if (page.frames().length > 1 && !looked.includes("iframe")) throw new Error("axe has not looked into the frame")
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)
}
