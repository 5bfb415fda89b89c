/**
 * Delays loading and creating things until first use.
 *
 * Modules of Node: the loader loads each one that anything in the bundle imports, with its dependencies (network sockets for
 * code that might start a process, WebCrypto for a hash), which takes half of Node's own start-up time. better-sqlite3,
 * which `--help` does not need. And what Effect's command line creates at once to measure emoji, which takes another third.
 */
import { readFileSync } from "node:fs"
import { builtinModules, createRequire } from "node:module"
import { dirname } from "node:path"

const require = createRequire(import.meta.url)

const isName = (name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== "default"

/** Whether it is a plain function, which a wrapper can replace; a class, or a function with properties, cannot be replaced. */
const isPlain = (value) =>
  typeof value === "function" &&
  !/^[A-Z]/.test(value.name) &&
  Object.keys(value).length === 0 &&
  Object.getOwnPropertyNames(value.prototype ?? {}).every((name) => name === "constructor") &&
  !Function.prototype.toString.call(value).startsWith("class")

/** A module of Node by its names: functions are looked up when called, everything else at import. */
const ofNode = (path) => {
  const module = require(path)
  const it = `process.getBuiltinModule(${JSON.stringify(path)})`
  const names = Object.keys(module).filter(isName)
  const values = names.map((name) => {
    // What `promisify` makes of those with several results, such as fs.read, is said by their symbols.
    if (isPlain(module[name]) && Object.getOwnPropertySymbols(module[name]).length > 0)
      return `const $${name} = /* @__PURE__ */ new Proxy(() => {}, { apply: (_, self, given) => ${it}.${name}(...given), get: (_, symbol) => ${it}.${name}[symbol] })`
    if (isPlain(module[name])) return `const $${name} = (...given) => ${it}.${name}(...given)`
    if (path === "node:fs" && name === "promises") return `const $promises = ${late(`${it}.promises`)}`
    return `const $${name} = /* @__PURE__ */ (() => ${it}.${name})()`
  })
  const exported = names.map((name) => `$${name} as ${name}`)
  return `${values.join("\n")}\nexport { ${exported.join(", ")} }\nexport default ${late(it)}`
}

const late = (it) => `/* @__PURE__ */ new Proxy({}, { get: (_, name) => ${it}[name] })`

/**
 * Only its class is imported. Its JavaScript, a dozen small files, is in the bundle; the code that finds the native module
 * for this machine stays beside that module.
 */
const SQLITE = `let Sqlite
export default function (...given) {
  if (Sqlite === undefined) {
    const { getBinding } = require(require.resolve("better-sqlite3").replace(/index[.]js$/, "binding.js"))
    Sqlite = require("./database.js")(getBinding, true)
  }
  return new Sqlite(...given)
}`

const MADE = /^const graphemeSegmenter = (?:\/\*#__PURE__\*\/)?(new Intl\.Segmenter\([^)]*\));$/m
const ASKED = "graphemeSegmenter.segment("

/** The module for help and tables, which loads its measuring code when it first measures more than ASCII. */
const measuring = (path) => {
  const text = readFileSync(path, "utf8")
  const made = MADE.exec(text)
  if (made === null || !text.includes(ASKED)) throw new Error(`${path} is not as it was: look at cli/late.js`)
  return text
    .replace(
      MADE,
      () =>
        `let segmenter; const segments = (text) => /^[ -~]*$/.test(text) ? [...text].map((segment) => ({ segment })) : (segmenter ??= ${made[1]}).segment(text);`
    )
    .replace(ASKED, () => "segments(")
}

export const lately = {
  name: "late",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^[a-z_]/ }, ({ kind, path }) => {
      if (kind !== "import-statement") return undefined
      if (path === "better-sqlite3") return { path, namespace: "late", sideEffects: false }
      const name = path.replace(/^node:/, "")
      return builtinModules.includes(name) ? { path: `node:${name}`, namespace: "late", sideEffects: false } : undefined
    })
    onLoad({ filter: /.*/, namespace: "late" }, ({ path }) => ({
      contents: path === "better-sqlite3" ? SQLITE : ofNode(path),
      resolveDir: dirname(require.resolve("better-sqlite3"))
    }))
    onLoad({ filter: /[\\/]effect[\\/]dist[\\/]cli[\\/]CliOutput\.js$/ }, ({ path }) => ({ contents: measuring(path) }))
  }
}
