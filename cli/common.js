/**
 * Merges the chunks that commands share into three files. esbuild creates a chunk for each set of modules that the same
 * commands share, about forty for every command, and Node must find, read and link each: a sixth of the time of `daybook
 * status`. What only one command needs stays a separate chunk.
 */
import { build } from "esbuild"
import { join, posix } from "node:path"

/**
 * The merged files. Each contains the shared chunks that at least one of these modules loads, except those in the files before
 * it. The modules are frequently used commands, what loads their configuration, and the connector that most of them use. Every
 * import of such a chunk is redirected to its merged file, so that esbuild keeps the file in one piece.
 */
const MERGED = {
  "common.js": [
    "cli/commands/status.ts",
    "cli/commands/plan.ts",
    "cli/commands/attention.ts",
    "sync/library/config/ConfigFile.ts",
    "sync/library/config/Renames.ts"
  ],
  "running.js": ["cli/commands/pull.ts", "cli/commands/sync.ts"],
  "files.js": ["connectors/files/Files.ts"]
}

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

/** The merged file of each shared chunk. */
const mergedOf = (outputs) => {
  const entries = Object.entries(outputs)
  const of = (source) => entries.filter(([, { entryPoint }]) => entryPoint === source).map(([path]) => path)
  const found = new Map()
  for (const [file, sources] of Object.entries(MERGED))
    for (const source of sources)
      for (const path of reached(outputs, [...of("cli/main.ts"), ...of(source)]))
        if (outputs[path].entryPoint === undefined && !found.has(path)) found.set(path, file)
  return found
}

/**
 * Bundles esbuild's output again, with the shared chunks merged.
 *
 * @param made files by their path within `folder`, with esbuild's metadata
 */
export const joined = async ({ dist, external, folder, outputFiles, metafile }) => {
  const asking = (text) => (/\btypeof require\b/.test(text) ? `${REQUIRE}${text}` : text)
  const files = new Map(outputFiles.map(({ path, text }) => [within(join(process.cwd(), folder), path), asking(text)]))
  const merged = new Map(
    [...mergedOf(metafile.outputs)].map(([path, file], n) => [within(folder, path), { file, n, path }])
  )
  const renamed = (at, name) => `c${merged.get(at).n}_${name}`
  const again = [...merged].map(([at, { file, path }]) => {
    const names = metafile.outputs[path].exports.map((name) => `${name} as ${renamed(at, name)}`)
    return { file, text: names.length === 0 ? `import "./${at}"` : `export { ${names.join(", ")} } from "./${at}"` }
  })
  const textOf = (merging) => again.flatMap(({ file, text }) => (file === merging ? [text] : [])).join("\n")
  /** Redirects imports of shared chunks to the merged files; within a merged file, those of the same one stay. */
  const rewritten = (path) =>
    files.get(path).replace(/\bimport(?:\{([^}]*)\}from)?"(\.[^"]*)"/g, (text, names, to) => {
      const part = posix.join(posix.dirname(path), to)
      const { file } = merged.get(part) ?? {}
      if (file === undefined || file === merged.get(path)?.file) return text
      if (names === undefined) return `import"made:${file}"`
      const each = names.split(",").map((one) => {
        const [name, as = name] = one.trim().split(" as ")
        return `${renamed(part, name)} as ${as}`
      })
      return `import{${each.join(",")}}from"made:${file}"`
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
        contents: path in MERGED ? textOf(path) : rewritten(path),
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
