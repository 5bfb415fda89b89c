/** Packs the package with npm, so that the same files give the same bytes whoever packs them. */
import { spawnSync } from "node:child_process"
import { chmodSync } from "node:fs"
import { join } from "node:path"

/** npm sets every file's time and owner, but keeps its mode, which depends on the umask of whoever made it. */
const mode = (before: number): number => ((before & 0o100) === 0 ? 0o644 : 0o755)

const npm = (folder: string, ...args: ReadonlyArray<string>): string => {
  const command = ["pack", "--ignore-scripts", "--offline", ...args]
  const options = { cwd: folder, encoding: "utf8", shell: process.platform === "win32" } as const
  const { error, status, stderr, stdout } = spawnSync("npm", command, options)
  if (error !== undefined || status !== 0) throw new Error(`npm pack: ${error?.message ?? stderr}`)
  return stdout
}

interface Listed {
  readonly files: ReadonlyArray<{ readonly path: string; readonly mode: number }>
}

/**
 * @param folder that of `package.json`
 * @param into where the tarball is written
 */
export const pack = (folder: string, into: string): void => {
  const [listed] = JSON.parse(npm(folder, "--dry-run", "--json")) as ReadonlyArray<Listed>
  for (const one of listed?.files ?? []) chmodSync(join(folder, one.path), mode(one.mode))
  npm(folder, "--silent", "--pack-destination", into)
}
