/**
 * Merges the chunks that commands share into one file. esbuild creates a chunk for each set of modules that the same
 * commands share, about forty for every command, and Node must find, read and link each: a sixth of the time of `daybook
 * status`. What only one command needs stays a separate chunk.
 */
import { build } from "esbuild"
import { join, posix } from "node:path"

/** The merged file. Every import of a shared chunk is redirected to it, so that esbuild keeps it in one piece. */
const COMMON = "common.js"

/** Frequently used commands: what any of them loads is shared. */
const OFTEN = ["cli/commands/status.ts", "cli/commands/plan.ts", "cli/commands/attention.ts"]

/** Names are not minified, so that stack traces stay readable and functions keep their names. */
export const small = { minifySyntax: true, minifyWhitespace: true }

/** CommonJS packages call `require`: imported by the one chunk that provides it. */
const REQUIRE = `import{createRequire as asked}from"node:module";const require=asked(import.meta.url);`

const within = (folder, path) => posix.relative(folder, path)

/** The static imports of these files, and transitively theirs. */
const reached = (outputs, from) => {
  const found = new Set()
  const reach = (path) => {
    if (found.has(path) || outputs[path] === undefined) return
    found.add(path)
    for (const { kind, path: next } of outputs[path].imports) if (kind === "import-statement") reach(next)
  }
  for (const path of from) reach(path)
  return found
}

const commonOf = (outputs) => {
  const entries = Object.entries(outputs)
  const of = (source) => entries.filter(([, { entryPoint }]) => entryPoint === source).map(([path]) => path)
  const sets = OFTEN.map((source) => reached(outputs, [...of("cli/main.ts"), ...of(source)]))
  const isEntry = (path) => outputs[path].entryPoint !== undefined
  return entries.map(([path]) => path).filter((path) => !isEntry(path) && sets.some((set) => set.has(path)))
}

/**
 * Bundles esbuild's output again, with the shared chunks as one.
 *
 * @param made files by their path within `folder`, with esbuild's metadata
 */
export const joined = async ({ dist, external, folder, outputFiles, metafile }) => {
  const asking = (text) => (/\btypeof require\b/.test(text) ? `${REQUIRE}${text}` : text)
  const files = new Map(outputFiles.map(({ path, text }) => [within(join(process.cwd(), folder), path), asking(text)]))
  const common = commonOf(metafile.outputs)
  const numbers = new Map(common.map((path, n) => [within(folder, path), n]))
  const renamed = (path, name) => `c${numbers.get(path)}_${name}`
  const all = common.map((path) => {
    const at = within(folder, path)
    const names = metafile.outputs[path].exports.map((name) => `${name} as ${renamed(at, name)}`)
    return names.length === 0 ? `import "./${at}"` : `export { ${names.join(", ")} } from "./${at}"`
  })
  /** Redirects imports of a shared chunk to the merged file. */
  const rewritten = (path) =>
    files.get(path).replace(/\bimport(?:\{([^}]*)\}from)?"(\.[^"]*)"/g, (text, names, to) => {
      const part = posix.join(posix.dirname(path), to)
      if (!numbers.has(part)) return text
      if (names === undefined) return `import"made:${COMMON}"`
      const each = names.split(",").map((one) => {
        const [name, as = name] = one.trim().split(" as ")
        return `${renamed(part, name)} as ${as}`
      })
      return `import{${each.join(",")}}from"made:${COMMON}"`
    })
  const plugin = {
    name: "common",
    setup: ({ onLoad, onResolve }) => {
      onResolve({ filter: /^made:/ }, ({ path }) => ({ path: path.slice(5), namespace: "made" }))
      onResolve({ filter: /^\.\.?\//, namespace: "made" }, ({ importer, path }) => {
        const at = posix.join(posix.dirname(importer), path)
        return files.has(at) ? { path: at, namespace: "made" } : undefined
      })
      onLoad({ filter: /.*/, namespace: "made" }, ({ path }) => ({
        contents: path === COMMON ? all.join("\n") : numbers.has(path) ? files.get(path) : rewritten(path),
        resolveDir: process.cwd()
      }))
    }
  }
  await build({
    entryPoints: { program: "made:program.js", library: "made:library.js" },
    outdir: dist,
    chunkNames: "parts/[name]-[hash]",
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node24",
    ...small,
    external,
    logLevel: "warning",
    plugins: [plugin]
  })
}
