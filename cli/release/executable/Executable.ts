/** Makes the single executable of this platform: Node, with the built program and the packages that it needs inside (Node's SEA). */
import { build } from "esbuild"
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { zstdCompressSync } from "node:zlib"
import { temporaryFolder } from "../../../core/TemporaryFolder.ts"
import type { LockFile } from "../Sbom.ts"
import { type ArchivedFile, ASSET, packed, START } from "./Archive.ts"

/** Marks in Node's binary where the program is put (Node's documentation of single executables). */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2"

/** It has no types. */
const { inject } = createRequire(import.meta.url)("postject") as {
  readonly inject: (
    file: string,
    name: string,
    content: Buffer,
    options: { readonly sentinelFuse: string; readonly machoSegmentName?: string }
  ) => Promise<void>
}

const RUN = `import(require("node:url").pathToFileURL(process.argv[1]).href)\n`

/** What a program does not read when it runs. */
const IDLE = /\.(d\.[cm]?ts|[cm]?ts|map|md|markdown|flow)$|(^|\/)(test|tests|example|examples|docs|\.github)\//

/** The files of a folder, or the file itself. */
const below = (place: string): ReadonlyArray<string> =>
  statSync(place).isFile()
    ? [place]
    : readdirSync(place, { recursive: true, encoding: "utf8" })
        .map((name) => join(place, name))
        .filter((path) => statSync(path).isFile())
        .toSorted()

/** The built command without the library, what the package has besides, and the packages of an installation, as far as they are here. */
const program = (root: string, dist: string): ReadonlyArray<ArchivedFile> => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as LockFile
  const shipped = Object.entries(packages).flatMap(([path, { dev }]) => (path === "" || dev === true ? [] : [path]))
  const has = (path: string) => statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() === true
  const nested = (path: string) => path.split("node_modules").length - 1
  const modules = shipped.filter(has).flatMap((path) =>
    below(join(root, path))
      .map((file) => relative(root, file).replaceAll(sep, "/"))
      // A package of its own below this one is in the list itself, or is not shipped.
      .filter((file) => nested(file) === nested(path) && !IDLE.test(file.slice(path.length + 1)))
      .map((file) => ({ path: file, content: readFileSync(join(root, file)) }))
  )
  const built = below(dist)
    .map((file) => ({ path: `dist/${relative(dist, file).replaceAll(sep, "/")}`, file }))
    .filter(({ path }) => !path.startsWith("dist/lib/") && path !== "dist/.built")
    .map(({ file, path }) => ({ path, content: readFileSync(file) }))
  const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly files: ReadonlyArray<string>
  }
  const own = ["package.json", ...files.filter((one) => !/^!|^dist$/.test(one))].flatMap((one) =>
    below(join(root, one)).map((file) => ({
      path: relative(root, file).replaceAll(sep, "/"),
      content: readFileSync(file)
    }))
  )
  return [...own, { path: START, content: Buffer.from(RUN) }, ...built, ...modules]
}

const starter = async (name: string): Promise<string> => {
  const made = await build({
    entryPoints: [fileURLToPath(new URL("./Start.ts", import.meta.url))],
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node24",
    define: { PROGRAM: JSON.stringify(name) },
    write: false
  })
  return made.outputFiles[0]?.text ?? ""
}

/**
 * @param root that of `package.json`, with its packages installed
 * @param dist the built command
 * @param into the file that is written
 */
export const executable = async (root: string, dist: string, into: string): Promise<void> => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string }
  const archive = packed(program(root, dist))
  const sum = createHash("sha256").update(archive).digest("hex").slice(0, 12)
  const place = temporaryFolder("executable")
  try {
    const at = (name: string) => join(place, name)
    writeFileSync(at(ASSET), zstdCompressSync(archive))
    writeFileSync(at("start.js"), await starter(`${version}-${sum}`))
    const config = { main: at("start.js"), output: at("blob"), assets: { [ASSET]: at(ASSET) } }
    writeFileSync(at("sea.json"), JSON.stringify({ ...config, disableExperimentalSEAWarning: true }))
    const { status, stderr } = spawnSync(process.execPath, ["--experimental-sea-config", at("sea.json")])
    if (status !== 0) throw new Error(`node --experimental-sea-config: ${String(stderr)}`)
    rmSync(into, { force: true })
    copyFileSync(process.execPath, into)
    chmodSync(into, 0o755)
    const isMac = process.platform === "darwin"
    if (isMac) spawnSync("codesign", ["--remove-signature", into])
    const options = { sentinelFuse: FUSE, ...(isMac ? { machoSegmentName: "NODE_SEA" } : {}) }
    await inject(into, "NODE_SEA_BLOB", readFileSync(at("blob")), options)
    if (isMac) spawnSync("codesign", ["--sign", "-", into])
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
