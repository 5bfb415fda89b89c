/**
 * Starts real database servers for a test from the machine's own binaries, in a folder of their own, on a free port, as an
 * unprivileged user, and removes them afterwards. If a binary is missing, the result says so, and the test is skipped.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"

export const PASSWORD = "s3cret-pa55word"

export interface Server {
  /** The address without a database: `postgresql://daybook:…@127.0.0.1:40123`. */
  readonly url: string
  readonly port: number
  readonly folder: string
  readonly stop: () => Promise<void>
}

/** Folders in which systems install server binaries. */
const FOLDERS = [
  ...(process.env["PATH"] ?? "").split(delimiter),
  "/usr/local/sbin",
  "/usr/sbin",
  "/sbin",
  ...(existsSync("/usr/lib/postgresql")
    ? readdirSync("/usr/lib/postgresql").map((version) => `/usr/lib/postgresql/${version}/bin`)
    : [])
]

export const binary = (...names: ReadonlyArray<string>): string | undefined =>
  names.flatMap((name) => FOLDERS.map((folder) => join(folder, name))).find((path) => existsSync(path))

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/** Database servers refuse to run as root, so they run as nobody in that case. */
const runner = (): { readonly uid?: number; readonly gid?: number } => {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(spawnSync("id", [flag, "nobody"], { encoding: "utf8" }).stdout)
  return { uid: id("-u"), gid: id("-g") }
}

/** A folder that the server's user can write to. */
const desk = (name: string) => {
  const folder = mkdtempSync(join(tmpdir(), `daybook-${name}-`))
  const as = runner()
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid!)
  return { folder, as }
}

export const must = (command: string, args: ReadonlyArray<string>, options: object): void => {
  const { error, status, stderr, stdout } = spawnSync(command, args, { ...options, encoding: "utf8" })
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? ""}${stdout}${stderr}`)
}

/** Waits until it answers; fails with its output if it ends before that. */
export const answers = async (child: ChildProcess, said: () => string, ask: () => Promise<unknown>): Promise<void> => {
  for (let n = 0; ; n++) {
    if (child.exitCode !== null) throw new Error(`the server ended: ${said()}`)
    try {
      await ask()
      return
    } catch (cause) {
      if (n > 150) throw new Error(`the server does not answer: ${cause}\n${said()}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

/** @param signal shuts it down immediately but cleanly */
export const start = (command: string, args: ReadonlyArray<string>, options: object, signal: NodeJS.Signals) => {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] })
  let words = ""
  const hear = (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-4000)
  }
  child.stdout.on("data", hear)
  child.stderr.on("data", hear)
  const kill = () => child.kill(signal)
  process.once("exit", kill)
  const stop = async (folder: string) => {
    process.removeListener("exit", kill)
    const ended = child.exitCode === null ? new Promise((resolve) => child.once("exit", resolve)) : undefined
    child.kill(signal)
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  return { child, said: () => words, stop }
}

/** A server's certificate and key. */
export interface Tls {
  readonly cert: string
  readonly key: string
}

/** Writes files that only the server's user may read. */
const written = (folder: string, as: ReturnType<typeof runner>, files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    if (as.uid !== undefined) chownSync(join(folder, name), as.uid, as.gid!)
  }
}

/** A PostgreSQL server with a user `daybook`, or why there is none. */
export const postgres = async (tls?: Tls, auth = "scram-sha-256"): Promise<Server | string> => {
  const [initdb, server] = [binary("initdb"), binary("postgres")]
  if (initdb === undefined || server === undefined) return "PostgreSQL (initdb, postgres) is not installed here"
  const { as, folder } = desk("postgres")
  const secret = join(folder, "password")
  written(folder, as, { password: PASSWORD, ...tls })
  const data = join(folder, "data")
  const options = { ...as, cwd: folder, env: { ...process.env, LC_ALL: "C" } }
  const how = [`--auth=${auth}`, "-E", "UTF8", "--locale=C", "--no-sync"]
  must(initdb, ["-D", data, "-U", "daybook", `--pwfile=${secret}`, ...how], options)
  const tlsIs =
    tls === undefined ? [] : ["ssl=on", `ssl_cert_file=${join(folder, "cert")}`, `ssl_key_file=${join(folder, "key")}`]
  return postgresIn(folder, server, options, tlsIs)
}

/** Starts what is in a folder's `data`. */
const postgresIn = async (
  folder: string,
  server: string,
  options: object,
  more: ReadonlyArray<string> = []
): Promise<Server> => {
  const port = await freePort()
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", ...more]
  const args = ["-D", join(folder, "data"), "-p", `${port}`, ...settings.flatMap((one) => ["-c", one])]
  const { child, said, stop } = start(server, args, options, "SIGQUIT")
  const url = `postgresql://daybook:${PASSWORD}@127.0.0.1:${port}`
  const { Client } = (await import("pg")).default
  await answers(child, said, async () => {
    const client = new Client({ connectionString: `${url}/postgres` })
    await client.connect()
    await client.end()
  })
  return { url, port, folder, stop: () => stop(folder) }
}

/** A server that follows another one, until it is promoted with `SELECT pg_promote()`. */
export const standbyOf = async (primary: Server): Promise<Server> => {
  const { as, folder } = desk("standby")
  const options = { ...as, cwd: folder, env: { ...process.env, LC_ALL: "C" } }
  const from = ["-d", `${primary.url}/postgres`, "-R", "-c", "fast", "--no-sync"]
  must(binary("pg_basebackup")!, ["-D", join(folder, "data"), ...from], options)
  return postgresIn(folder, binary("postgres")!, options)
}

/** A MariaDB server with a user `daybook`, or why there is none. */
export const mariadb = async (tls?: Tls): Promise<Server | string> => {
  const [install, server] = [binary("mariadb-install-db", "mysql_install_db"), binary("mariadbd", "mysqld")]
  if (install === undefined || server === undefined)
    return "MariaDB (mariadb-install-db, mariadbd) is not installed here"
  const { as, folder } = desk("mariadb")
  const data = join(folder, "data")
  mkdirSync(data)
  if (as.uid !== undefined) chownSync(data, as.uid, as.gid!)
  const options = { ...as, cwd: folder }
  const how = ["--auth-root-authentication-method=normal", "--skip-test-db", "--skip-name-resolve"]
  must(install, ["--no-defaults", `--datadir=${data}`, ...how], options)
  const port = await freePort()
  const settings = ["bind-address=127.0.0.1", `port=${port}`, `socket=${join(folder, "socket")}`, "skip-name-resolve"]
  written(folder, as, { ...tls })
  settings.push(
    ...(tls === undefined ? ["skip-ssl"] : [`ssl-cert=${join(folder, "cert")}`, `ssl-key=${join(folder, "key")}`])
  )
  const fast = ["innodb-flush-log-at-trx-commit=0", "innodb-buffer-pool-size=32M", "pid-file=" + join(folder, "pid")]
  const args = ["--no-defaults", `--datadir=${data}`, ...[...settings, ...fast].map((one) => `--${one}`)]
  const { child, said, stop } = start(server, args, options, "SIGKILL")
  const { createConnection } = (await import("mysql2/promise")).default
  await answers(child, said, async () => {
    const connection = await createConnection({ host: "127.0.0.1", port, user: "root" })
    await connection.query(`CREATE USER IF NOT EXISTS daybook@'127.0.0.1' IDENTIFIED BY '${PASSWORD}'`)
    await connection.query("GRANT ALL ON *.* TO daybook@'127.0.0.1'")
    await connection.end()
  })
  return { url: `mysql://daybook:${PASSWORD}@127.0.0.1:${port}`, port, folder, stop: () => stop(folder) }
}
