/**
 * Checks a page's accessibility with axe.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** The problems that axe finds in a page and its frames. */
export const findings = async (page: Page): Promise<ReadonlyArray<string>> => {
  const allowed = 'axe.configure({ allowedOrigins: ["<unsafe_all_origins>"] })'
  await Promise.all(page.frames().map((frame) => frame.evaluate(`${axe};${allowed};0`)))
  const { passes, violations } = (await page.evaluate("axe.run(document)")) as Readonly<
    Record<
      "passes" | "violations",
      ReadonlyArray<{ readonly id: string; readonly nodes: ReadonlyArray<{ html: string; target: unknown }> }>
    >
  >
  const looked = JSON.stringify(passes.map(({ nodes }) => nodes.map(({ target }) => target)))
  if (page.frames().length > 1 && !looked.includes("iframe")) throw new Error("axe has not looked into the frame")
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)
}
