/**
 * Rewrites imports from a package's index into imports of its modules. The bundler assigns whole files to chunks: with an
 * index, every command would load everything that any command needs from the package. And the library's files, which are not bundled,
 * would load all of the package with their first import.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const PACKAGES = ["effect", "effect/cli", "effect/http", "effect/http-api", "effect/observability"]

/** The modules that a package's index exports as namespaces, by name: as `place` has their files, beside the index. */
const modulesOf = (name, place) => {
  const index = fileURLToPath(import.meta.resolve(name))
  const found = readFileSync(index, "utf8").matchAll(/^export \* as (\w+) from "(.+)";?$/gm)
  return new Map(Array.from(found, ([, module, path]) => [module, place(path, dirname(index))]))
}

const indexesOf = (place) => new Map(PACKAGES.map((name) => [name, modulesOf(name, (...at) => place(name, ...at))]))

/** Splits `import { Cause, type Layer, Effect as E } from "effect"` into one import for each name. */
const separate = (members, modules, from) =>
  members
    .split(",")
    .map((member) => member.trim())
    .filter((member) => member !== "" && !member.startsWith("type "))
    .map((member) => {
      const [exported, local = exported] = member.split(/\s+as\s+/)
      const file = modules.get(exported)
      return file === undefined
        ? `import { ${member} } from ${JSON.stringify(from)}`
        : `import * as ${local} from ${JSON.stringify(file)}`
    })
    .join("; ")

/** A line that begins neither an import nor a comment: what follows are no imports, but may be texts that look like some. */
const BODY = /^(?!import |export .* from |[ /}])\S/m

const apart = (indexes) => (whole, members, from) =>
  indexes.has(from) ? separate(members, indexes.get(from), from) : whole

const rewritten = (text, indexes) => {
  const end = BODY.exec(text)?.index ?? text.length
  const head = text.slice(0, end).replace(/^import \{([^}]*)\} from "([^"]+)"$/gm, apart(indexes))
  return head + text.slice(end)
}

export const barrels = {
  name: "barrels",
  setup: ({ onLoad }) => {
    const indexes = indexesOf((_, path, folder) => join(folder, path))
    onLoad({ filter: /[\\/](core|connectors|sync|cli)[\\/].*\.ts$/ }, ({ path }) => ({
      loader: "ts",
      contents: rewritten(readFileSync(path, "utf8"), indexes)
    }))
  }
}

/** The same in a folder of what the compiler made, whose imports end with a semicolon, unlike those in our texts. */
export const withoutBarrels = (folder) => {
  const indexes = indexesOf((name, path) => `${name}/${path.replace(/^\.\/|\.js$/g, "")}`)
  for (const file of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".js"))) {
    const path = join(folder, file)
    const text = readFileSync(path, "utf8")
    writeFileSync(path, text.replace(/^import \{([^}]*)\} from "([^"]+)";$/gm, apart(indexes)))
  }
}
