/**
 * A separately loaded chunk needs a list of its exports, which a CommonJS package does not provide: this plugin of esbuild
 * lists those of undici. Our own files import such packages statically, never by `await import("package")`.
 */
import { createRequire } from "node:module"
import { dirname } from "node:path"
import type { Plugin } from "esbuild"

const names = (): ReadonlyArray<string> =>
  Object.keys(createRequire(import.meta.url)("undici")).filter(
    (name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== "default"
  )

export const undici: Plugin = {
  name: "undici",
  setup: ({ onLoad }) =>
    onLoad({ filter: /@effect[\\/]platform-node[\\/]dist[\\/]Undici\.js$/ }, ({ path }) => ({
      contents: `import undici from "undici"
export const { ${names().join(", ")} } = undici
export default undici`,
      resolveDir: dirname(path)
    }))
}
