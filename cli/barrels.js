/**
 * Rewrites imports from a package's index into imports of its modules. The bundler assigns whole files to chunks: with an
 * index, every command would load everything that any command needs from the package.
 */
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const PACKAGES = ["effect", "effect/cli", "effect/http", "effect/http-api", "effect/observability"]

/** The files of the modules that a package's index exports as namespaces, by name. */
const modulesOf = (name) => {
  const index = fileURLToPath(import.meta.resolve(name))
  const found = readFileSync(index, "utf8").matchAll(/^export \* as (\w+) from "(.+)";?$/gm)
  return new Map(Array.from(found, ([, module, path]) => [module, join(dirname(index), path)]))
}

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

const rewritten = (text, indexes) => {
  const end = BODY.exec(text)?.index ?? text.length
  const head = text
    .slice(0, end)
    .replace(/^import \{([^}]*)\} from "([^"]+)"$/gm, (whole, members, from) =>
      indexes.has(from) ? separate(members, indexes.get(from), from) : whole
    )
  return head + text.slice(end)
}

export const barrels = {
  name: "barrels",
  setup: ({ onLoad }) => {
    const indexes = new Map(PACKAGES.map((name) => [name, modulesOf(name)]))
    onLoad({ filter: /[\\/](core|connectors|sync|cli)[\\/].*\.ts$/ }, ({ path }) => ({
      loader: "ts",
      contents: rewritten(readFileSync(path, "utf8"), indexes)
    }))
  }
}
