/**
 * Makes what is released, in `release/` or the folder that is named: the tarball, its list of packages (`sbom.cdx.json`),
 * `server.json`, `llms.txt`, clients of the HTTP interface, and the checksums of all of them. The same commit gives the same bytes.
 *
 *     node cli/release/make.ts [FOLDER] [--executable]
 *
 * With `--executable` there is a program for this platform as well, which needs no Node.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { OpenApi } from "effect/http-api"
import { HttpInterface } from "../remote/HttpInterface.ts"
import type { OpenApiDocument } from "./clients/Operations.ts"
import { pythonClient } from "./clients/PythonClient.ts"
import { typeScriptClient } from "./clients/TypeScriptClient.ts"
import { executable } from "./executable/Executable.ts"
import { llmsText } from "./LlmsText.ts"
import { mcpServer, type Package } from "./McpServer.ts"
import { pack } from "./Pack.ts"
import { type LockFile, sbom } from "./Sbom.ts"

const { positionals, values } = parseArgs({ allowPositionals: true, options: { executable: { type: "boolean" } } })
const into = resolve(positionals[0] ?? "release")
process.chdir(fileURLToPath(new URL("../..", import.meta.url)))
rmSync(into, { recursive: true, force: true })
mkdirSync(into, { recursive: true })

const run = (command: string, ...args: ReadonlyArray<string>): string => {
  const { error, status, stderr, stdout } = spawnSync(command, args, { encoding: "utf8" })
  if (error !== undefined || status !== 0) throw new Error(`${command} ${args[0]}: ${error?.message ?? stderr}`)
  return stdout
}

const write = (name: string, content: unknown): void =>
  writeFileSync(join(into, name), typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`)

const json = (name: string) => JSON.parse(readFileSync(name, "utf8")) as unknown

run(process.execPath, "cli/build.js")
pack(".", into)
const own = json("package.json") as Package
const { name, version } = own
write("sbom.cdx.json", sbom(json("package-lock.json") as LockFile, { name, version }))
write("server.json", mcpServer(own))
const pages = run("git", "ls-files", "*.md")
  .split("\n")
  .filter((path) => path !== "" && !path.startsWith("test/fixtures/"))
write("llms.txt", llmsText(pages.map((path) => ({ path, text: readFileSync(path, "utf8") }))))
const document = OpenApi.fromApi(HttpInterface) as unknown as OpenApiDocument
write("openapi.json", document)
write("daybook-client.ts", typeScriptClient(document, version))
write("daybook_client.py", pythonClient(document, version))
const ending = process.platform === "win32" ? ".exe" : ""
if (values.executable === true)
  await executable(".", "dist", join(into, `${name}-${version}-${process.platform}-${process.arch}${ending}`))
const sums = readdirSync(into)
  .toSorted()
  .map(
    (one) =>
      `${createHash("sha256")
        .update(readFileSync(join(into, one)))
        .digest("hex")}  ${one}\n`
  )
write("SHA256SUMS", sums.join(""))
console.log(sums.join("").trimEnd())
