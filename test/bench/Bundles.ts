/**
 * The modules of sides, bundled the way `dist/program.js` is made: run from the source, each process takes a second to read
 * TypeScript, and carries a hundred megabytes that have to do with that alone.
 */
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "esbuild"
import { undici } from "../../cli/UndiciExports.ts"
import { bundles } from "./Process.ts"

const here = import.meta.dirname

/** Those that `run` and `serve` are told of, and the program that runs them. */
export const MODULES = [
  ...["Apply", "ByHand", "Child", "Cover", "Fec", "FirstSync", "Load", "Loop", "Match"],
  ...["OrderPlan", "Page", "Plan", "Reading", "Rooms", "Sandbox", "Sent", "Xlsx", "export"]
] as const

/** From now on the sides run as bundles in this folder. */
export const bundle = async (folder: string): Promise<void> => {
  symlinkSync(join(here, "../../node_modules"), join(folder, "node_modules"), "junction")
  await build({
    entryPoints: MODULES.map((name) => join(here, `${name}.ts`)),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    // A process reads what its own module needs, and no more.
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node24",
    minifySyntax: true,
    minifyWhitespace: true,
    // As in cli/build.js.
    alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    external: [
      ...["better-sqlite3", "bidi-js", "esbuild", "fontkit", "mysql2"],
      ...["nodemailer", "pdfkit", "pg", "subset-font"]
    ],
    banner: {
      js: `import { createRequire as requireOfBundle } from "node:module"; const require = requireOfBundle(import.meta.url);`
    },
    plugins: [undici],
    logLevel: "error"
  })
  // As the command does it.
  bundles.cache = join(folder, "compiled")
  for (const name of MODULES)
    bundles.modules.set(pathToFileURL(join(here, `${name}.ts`)).href, pathToFileURL(join(folder, `${name}.mjs`)).href)
}
