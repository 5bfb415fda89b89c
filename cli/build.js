/**
 * Builds `dist`: the library with its types, and the `daybook` command. `--into FOLDER` builds elsewhere and asks no
 * questions, `--command` leaves the library out, `--library` adds it to a command that is there, `--unchecked` looks for no
 * mistakes in types, which a run of the tests does beside: so tests run what is shipped, made from the source as it is.
 *
 * `dist/daybook.js` is a few lines that any version of Node understands: it reports a Node that is too old, and answers
 * `--version` before anything else is loaded. It loads one bundled file, `dist/program.js`. `dist/parts` contains what
 * commands share, as three files (`common.js`), and what is loaded only on demand: each command and connector, the conformance
 * kit. The functions that frequently used commands call are marked, so that Node keeps them compiled (`eager.js`). The thread
 * that reads large files and the processes that read SQLite and PDF have their own bundle, `dist/reading`, because they need little of the
 * rest and would hold it in memory a second time.
 */
import { spawnSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { Effect } from "effect"
import { build } from "esbuild"
import { connectorSummaries } from "../connectors/Summaries.ts"
import { routes } from "../core/Routes.ts"
import { scripts } from "../core/sandbox/sdk/Scripts.ts"
import { barrels, withoutBarrels } from "./barrels.js"
import { joined, small } from "./common.js"
import { eager } from "./eager.js"
import { lately } from "./late.js"
import { ruleWords } from "./page/RuleWords.ts"
import { summaries } from "./Summaries.ts"
import { undici } from "./UndiciExports.ts"

const { values: asked } = parseArgs({
  options: {
    into: { type: "string" },
    command: { type: "boolean" },
    library: { type: "boolean" },
    unchecked: { type: "boolean" }
  }
})
const dist = asked.into === undefined ? "dist" : resolve(asked.into)

process.chdir(fileURLToPath(new URL("..", import.meta.url)))

// `npx` in a checkout runs this before the command: does nothing if the build is up to date.
const STAMP = join(dist, ".built")
const newest = (path) => {
  const found = statSync(path)
  return found.isDirectory() ? Math.max(...readdirSync(path).map((name) => newest(join(path, name)))) : found.mtimeMs
}
const sources = ["core", "connectors", "sync", "cli", "package.json", "package-lock.json", "tsconfig.json"]
if (asked.into === undefined && existsSync(STAMP) && Math.max(...sources.map(newest)) <= statSync(STAMP).mtimeMs)
  process.exit(0)

const { version } = JSON.parse(readFileSync("package.json", "utf8"))

if (asked.into === undefined) rmSync(dist, { recursive: true, force: true })
else if (asked.library !== true)
  for (const part of ["parts", "reading"]) rmSync(join(dist, part), { recursive: true, force: true })
mkdirSync(dist, { recursive: true })

/** What is made here and not at run time: the scripts for browsers, what is said of each connector and command, operations. */
const table = (name, made) => `export const ${name} = async () => (${JSON.stringify(made)})\n`
const served = table("scripts", await scripts())
const tables = {
  [join("sdk", "Scripts.ts")]: served,
  [join("connectors", "Summaries.ts")]: table("connectorSummaries", await connectorSummaries()),
  [join("cli", "Summaries.ts")]: table("summaries", await summaries()),
  [join("page", "RuleWords.ts")]: table("ruleWords", await ruleWords()),
  [join("core", "Routes.ts")]: `export const routes = ${JSON.stringify(routes)}\n`
}
const made = {
  name: "made",
  setup: ({ onLoad }) => {
    for (const [file, contents] of Object.entries(tables))
      onLoad({ filter: new RegExp(`[\\\\/]${file.replace(/[\\/.]/g, "[$&]")}$`) }, () => ({ contents }))
  }
}

/** A native module, database drivers and typesetting packages, which only some need: they stay in node_modules. */
const external = [
  "better-sqlite3",
  "bidi-js",
  "fontkit",
  "mysql2",
  "nodemailer",
  "pdfkit",
  "pg",
  "pg-boss",
  "subset-font",
  "unpdf"
]

/** A virtual folder: the output is bundled again, not written there. */
const folder = "out"
const options = {
  // What only one command or connector needs becomes a separate file.
  splitting: true,
  chunkNames: "parts/[name]-[hash]",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node24",
  ...small,
  // Its main file loads its parts in a way that cannot be bundled.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  external,
  logLevel: "warning",
  plugins: [made, lately, barrels, undici]
}
const bundle = async () => {
  const made = await build({
    ...options,
    // A `daybook.config.ts` that imports "daybook" gets the library from here.
    entryPoints: { program: "cli/main.ts", library: "sync/library/Daybook.ts" },
    outdir: folder,
    write: false,
    metafile: true
  })
  await joined({ ...made, dist, external, folder })
  await build({
    ...options,
    entryPoints: {
      Reader: "cli/Reader.ts",
      SqliteProcess: "connectors/sql/SqliteProcess.ts",
      PdfProcess: "connectors/einvoice/PdfProcess.ts"
    },
    outdir: join(dist, "reading"),
    // Packages in the older module format ask for it.
    banner: {
      js: 'import{createRequire as requireOfBundle}from"node:module";const require=requireOfBundle(import.meta.url);'
    }
  })
}
if (asked.library !== true) await bundle()

writeFileSync(
  join(dist, "daybook.js"),
  `#!/usr/bin/env node
if (Number(process.versions.node.split(".")[0]) < 24) {
  console.error("Daybook needs Node 24 or newer, and this is Node " + process.versions.node + ". Install a newer one from nodejs.org, and run this again.")
  process.exit(2)
} else if (process.argv.length === 3 && (process.argv[2] === "--version" || process.argv[2] === "-v")) {
  console.log("daybook ${version}")
} else {
  // A daemon reads its configuration again then, also one that is just starting or stopping: nothing ends.
  if (process.argv.includes("daemon")) process.on("SIGHUP", function () {})
  process.getBuiltinModule("node:module").enableCompileCache()
  import("./program.js").then(function (program) { return program.main("${version}") })
}
`
)
chmodSync(join(dist, "daybook.js"), 0o755)
if (asked.library !== true) eager(realpathSync(dist))

// Installs the command into the checkout's node_modules/.bin, where `npx` looks first.
if (asked.into === undefined && existsSync(join("node_modules", ".bin"))) {
  const link = join("node_modules", ".bin", "daybook")
  rmSync(link, { force: true })
  symlinkSync(join("..", "..", "dist", "daybook.js"), link)
}

const compile = (project) => {
  // A single checker: several would repeat much of the work and take twice the processor time.
  const types = ["-p", project, "--outDir", join(dist, "lib"), "--checkers", "1"]
  if (asked.unchecked === true) types.push("--noCheck")
  const { error, status } = spawnSync(join("node_modules", ".bin", "tsc"), types, { stdio: "inherit" })
  if (error !== undefined) console.error(error.message)
  if (status !== 0) process.exit(status ?? 1)
}

if (asked.command !== true) {
  compile("cli/tsconfig.build.json")
  withoutBarrels(join(dist, "lib"))
  writeFileSync(join(dist, "lib", "core", "sandbox", "sdk", "Scripts.js"), served)
  // A page loads this as a single file; its types are beside the library's.
  compile("core/checkout/tsconfig.build.json")
  await build({
    entryPoints: ["core/checkout/index.ts"],
    outfile: join(dist, "checkout.js"),
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    logLevel: "warning"
  })
  // For editors: the schema with every setting of a configuration.
  const { schemaText } = await import("../sync/library/config/schema/Written.ts")
  writeFileSync(join(dist, "daybook.schema.json"), await Effect.runPromise(schemaText(undefined, ".")))
  writeFileSync(STAMP, "")
}
