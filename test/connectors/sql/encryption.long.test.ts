/**
 * To whom the password and the books are given: by default, to a server on another machine only over TLS and only if its
 * certificate names it. What is weaker must be written in the address.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Socket } from "node:net"
import { networkInterfaces, tmpdir } from "node:os"
import { join } from "node:path"
import { constants, generateKeyPairSync, privateDecrypt } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { targetOf } from "../../../connectors/sql/Target.ts"
import { type Issued, issue } from "../../support/Certificates.ts"
import { until } from "../../support/Daemon.ts"
import { binary, mariadb, PASSWORD, postgres, type Server } from "../../support/Servers.ts"
import { packet } from "../../support/SilentDatabase.ts"
import { type Desk, pull } from "./Databases.ts"

const folder = mkdtempSync(join(tmpdir(), "daybook-tls-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const invoices = {
  query: "SELECT '1' AS id, 'A' AS buyer, '2026-01-01' AS issued, '2026-01-31' AS due, '1.00' AS gross",
  columns: { id: "id", customer: "buyer", issued: "issued", due: "due", gross: "gross" },
  currency: "GBP"
}

/** "read", or what is said, without the numbers of ports. */
const tried = async (url: string): Promise<string> => {
  const desk = { place: { url: { env: "DB" } }, environment: { DB: url }, folder } as unknown as Desk
  const { error, pages } = await pull(desk, { timeout: "2 seconds", invoices })
  const said = error?.message ?? `${pages.flatMap(({ read }) => read).length} read`
  assert.notInclude(said, PASSWORD)
  return said.replace(/:\d{4,5}\b/g, "")
}

const target = (url: string) => targetOf(new URL(url), folder)
const said = (url: string): string => {
  try {
    target(url)
    return "nothing"
  } catch (cause) {
    return `${(cause as Error).message}; ${(cause as { hint?: string }).hint}`
  }
}

describe("an address", () => {
  const MODES = [
    ["disable", undefined],
    ["require", "nothing"],
    ["no-verify", "nothing"],
    ["verify-ca", "authority"],
    ["verify-full", "host"],
    ["DISABLED", undefined],
    ["REQUIRED", "nothing"],
    ["VERIFY_CA", "authority"],
    ["VERIFY_IDENTITY", "host"]
  ] as const

  for (const scheme of ["postgres", "postgresql", "mysql", "mariadb"]) {
    it(`of another machine asks for a certificate that names it (${scheme})`, () => {
      for (const host of [
        "db",
        "db.example.com",
        "192.0.2.7",
        "[2001:db8::7]",
        "0.0.0.0",
        "[::ffff:127.0.0.1]",
        "[::]"
      ])
        assert.strictEqual(target(`${scheme}://u:p@${host}/books`).tls?.proves, "host", host)
      for (const host of ["localhost.example.com", "127.0.0.1.example.com", "127.1", "2130706433", "localhost."])
        assert.strictEqual(target(`${scheme}://u:p@${host}/books`).tls?.proves, "host", host)
    })

    it(`of this machine needs no TLS, but guards the password (${scheme})`, () => {
      for (const host of ["localhost", "LOCALHOST", "127.0.0.1", "127.1.2.3", "[::1]", ""]) {
        const { guarded, tls } = target(`${scheme}://${host === "" ? "" : `u:p@${host}`}/books`)
        assert.deepStrictEqual([tls, guarded], [undefined, true], host)
      }
    })

    it(`says what is weaker in the words of either database (${scheme})`, () => {
      for (const [mode, proves] of MODES)
        for (const name of ["sslmode", "ssl-mode"])
          for (const host of ["db.example.com", "localhost"]) {
            const { guarded, tls } = target(`${scheme}://u:p@${host}/books?${name}=${mode}`)
            assert.deepStrictEqual([tls?.proves, guarded], [proves, false], `${host} ${mode}`)
          }
    })

    it(`is refused if it says something else (${scheme})`, () => {
      for (const mode of ["prefer", "preferred", "PREFERRED", "allow"])
        assert.match(said(`${scheme}://db/books?sslmode=${mode}`), /would do without TLS .*; write sslmode=verify-full/)
      for (const mode of ["", "verify_full", "verifyfull", "true", "0", "constructor", "disable%20"])
        assert.match(
          said(`${scheme}://db/books?ssl-mode=${mode}`),
          /an sslmode that does not exist; write sslmode=verify-full/
        )
      for (const parameter of [
        "ssl=0",
        "tls=false",
        "sslMode=disable",
        "uselibpqcompat=true",
        "hostaddr=10.0.0.1",
        "password=p"
      ])
        assert.match(
          said(`${scheme}://db/books?${parameter}`),
          /has the parameter \w+, which is not supported; leave it out/
        )
      assert.notInclude(said(`${scheme}://u:1?rest@db/books`), "rest")
      for (const twice of ["sslmode=verify-full&sslmode=disable", "sslmode=verify-full&ssl-mode=DISABLED"])
        assert.match(said(`${scheme}://db/books?${twice}`), /says sslmode or ssl-mode twice; write it once/)
    })

    it(`names files of certificates (${scheme})`, () => {
      writeFileSync(join(folder, "ca.pem"), "-----BEGIN CERTIFICATE-----")
      writeFileSync(join(folder, "other.txt"), "s3cret")
      for (const name of ["sslrootcert", "ssl-ca"])
        for (const more of ["", "&sslmode=verify-full"]) {
          const { tls } = target(`${scheme}://localhost/books?${name}=ca.pem${more}`)
          assert.deepStrictEqual([tls?.proves, tls?.files.ca], ["host", "-----BEGIN CERTIFICATE-----"])
        }
      assert.strictEqual(target(`${scheme}://db/books?sslmode=require&sslrootcert=ca.pem`).tls?.proves, "authority")
      assert.match(
        said(`${scheme}://db/books?sslrootcert=none.pem`),
        /names a file for sslrootcert that cannot be read \(ENOENT\)/
      )
      assert.match(
        said(`${scheme}://db/books?sslrootcert=other.txt`),
        /holds no certificate or key in PEM format; correct its path/
      )
      assert.notInclude(said(`${scheme}://db/books?sslrootcert=other.txt`), "s3cret")
    })
  }

  it("of a socket needs no TLS, whatever stands in its place", () => {
    assert.deepInclude(target("postgresql:///books?host=/run/postgresql"), {
      socket: "/run/postgresql",
      tls: undefined
    })
    assert.deepInclude(target("postgresql://u@%2Frun%2Fpostgresql/books"), {
      socket: "/run/postgresql",
      tls: undefined
    })
    assert.deepInclude(target("mysql://u@db.example.com/books?socket=/run/mysqld.sock"), { socket: "/run/mysqld.sock" })
    // The host that is checked is the one that is connected to.
    assert.strictEqual(target("postgresql://u@localhost/books?host=db.example.com").tls?.proves, "host")
  })
})

for (const [name, start, first] of [
  ["PostgreSQL", postgres, "postgres"],
  ["MariaDB", mariadb, "mysql"]
] as const) {
  describe(name, { timeout: 60_000 }, () => {
    let missing: string | undefined
    let named: Issued
    let numbered: Issued
    const servers: Array<Server> = []
    beforeAll(async () => {
      if (binary("openssl") === undefined) missing = "openssl is not installed here"
      if (missing !== undefined) return
      named = issue(folder, `named-${first}`, "DNS:localhost")
      numbered = issue(folder, `numbered-${first}`, "IP:127.0.0.1")
      for (const tls of [named.tls, numbered.tls, undefined]) {
        const server = await start(tls)
        if (typeof server === "string") return void (missing = server)
        servers.push(server)
      }
    }, 120_000)
    afterAll(async () => {
      for (const server of servers) await server.stop()
    })

    const url = (which: number, host: string, settings: string) =>
      `${servers[which]!.url.replace("127.0.0.1", host)}/${first}?${settings}`

    it("is read over TLS only if its certificate proves what the address asks for", async ({ skip }) => {
      if (missing !== undefined) return skip(missing)
      const trusting = (mode: string, { ca }: Issued) => `sslmode=${mode}&sslrootcert=${ca}`
      for (const [settings, byName, byNumber] of [
        [
          trusting("verify-full", named),
          "1 read",
          /is for another host, so it may not be your server; nothing was sent/
        ],
        [trusting("verify-ca", named), "1 read", "1 read"],
        [trusting("verify-full", numbered), /is not trusted, so it may not be your server/, /is not trusted/],
        [trusting("verify-ca", numbered), /is not trusted/, /is not trusted/],
        [
          "sslmode=verify-full",
          /is not trusted.*; nothing was sent to it; if it is of an authority of your own/,
          /is not trusted/
        ],
        ["sslmode=require", "1 read", "1 read"],
        ["sslmode=disable", "1 read", "1 read"],
        ["", "1 read", "1 read"]
      ] as const) {
        for (const [host, wanted] of [
          ["localhost", byName],
          ["127.0.0.1", byNumber]
        ] as const) {
          const answer = await tried(url(0, host, settings))
          if (typeof wanted === "string") assert.strictEqual(answer, wanted, `${host} ${settings}`)
          else assert.match(answer, wanted, `${host} ${settings}`)
        }
      }
      assert.strictEqual(await tried(url(1, "127.0.0.1", trusting("verify-full", numbered))), "1 read")
      assert.match(await tried(url(1, "localhost", trusting("verify-full", numbered))), /is for another host/)
    })

    it("that offers no TLS gets nothing where the address asks for it", async ({ skip }) => {
      if (missing !== undefined) return skip(missing)
      for (const mode of ["verify-full", "verify-ca", "require"])
        assert.match(
          await tried(url(2, "127.0.0.1", `sslmode=${mode}`)),
          /^sql: \w+ on 127\.0\.0\.1 offers no TLS, .*; nothing was sent to it; switch TLS on at the server, or/
        )
    })
  })
}

/** A server that writes down what it hears, and answers as a thief would. */
const thief = async (
  host: string,
  greet: Buffer | undefined,
  answer: (heard: Buffer, n: number) => Buffer | undefined
) => {
  const heard: Array<Buffer> = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let n = 0
    if (greet !== undefined) socket.write(greet)
    socket.on("error", () => {})
    socket.on("data", (data) => {
      heard.push(data)
      const reply = answer(data, n++)
      if (reply !== undefined) socket.write(reply)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { port: (server.address() as { port: number }).port, heard: () => Buffer.concat(heard), close }
}

const CLEARTEXT_ASKED = Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 3])
const SSL_REQUEST = 80_877_103

const greeting = (plugin: string) =>
  packet(
    0,
    Buffer.concat([
      Buffer.from([10]),
      Buffer.from("8.4.0\0"),
      Buffer.from([1, 0, 0, 0]),
      Buffer.from("abcdefgh"),
      Buffer.from([0, 0xff, 0xf7, 33, 2, 0, 0xff, 0x81, 21]),
      Buffer.alloc(10),
      Buffer.from(`ijklmnopqrst\0${plugin}\0`)
    ])
  )

const switched = (plugin: string) => packet(2, Buffer.from(`\xfe${plugin}\0abcdefghijklmnopqrst\0`, "latin1"))

describe("whoever answers on this machine", () => {
  it("does not get the password of PostgreSQL as it is, unless the address says so", async () => {
    const answer = (heard: Buffer, n: number) =>
      n === 0 && heard.readUInt32BE(4) !== SSL_REQUEST ? CLEARTEXT_ASKED : undefined
    const { close, heard, port } = await thief("127.0.0.1", undefined, answer)
    const url = `postgresql://daybook:${PASSWORD}@127.0.0.1:${port}/books`
    assert.strictEqual(
      await tried(url),
      "sql: books on 127.0.0.1 asks for the password without encryption, so it was not sent; write sslmode=require in the variable DB if the server offers TLS; sslmode=disable would send it as it is"
    )
    assert.notInclude(heard().toString("latin1"), PASSWORD)
    const trying = tried(`${url}?sslmode=disable`)
    await until("it has the password", () => heard().toString("latin1").includes(PASSWORD) || undefined)
    close()
    await trying
  })

  for (const plugin of ["mysql_clear_password", "sha256_password", "caching_sha2_password"])
    for (const how of ["greets with", "switches to"])
      it(`does not get the password of MySQL: ${how} ${plugin}`, async () => {
        const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
        const pem = publicKey.export({ type: "spki", format: "pem" }) as string
        const switches = how === "switches to"
        const { close, heard, port } = await thief(
          "127.0.0.1",
          greeting(switches ? "mysql_native_password" : plugin),
          (data, n) => {
            const seq = data[3]! + 1
            const body = data.subarray(4)
            if (n === 0) return switched(plugin)
            if (body.length === 1 || n === 2) return packet(seq, Buffer.from(`\x01${pem}`, "latin1"))
            return n === 1 ? packet(seq, Buffer.from([1, 4])) : undefined
          }
        )
        assert.match(
          await tried(`mysql://daybook:${PASSWORD}@127.0.0.1:${port}/books`),
          /asks for the password without encryption, so it was not sent/
        )
        close()
        const all = heard()
        assert.notInclude(all.toString("latin1"), PASSWORD)
        const last = all.subarray(-256)
        if (last.length === 256) {
          const opened = (() => {
            try {
              return privateDecrypt(
                { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1" },
                last
              )
            } catch {
              return undefined
            }
          })()
          assert.isUndefined(opened, "the password can be opened")
        }
      })
})

describe("whoever answers on another machine", () => {
  const away = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address

  it("gets neither user nor password, by the addresses that the documentation shows", async ({ skip }) => {
    if (away === undefined) return skip("this machine has no network")
    const postgres = await thief(away, undefined, (heard) =>
      heard.readUInt32BE(4) === SSL_REQUEST ? Buffer.from("N") : CLEARTEXT_ASKED
    )
    assert.match(await tried(`postgresql://daybook:${PASSWORD}@${away}:${postgres.port}/books`), /offers no TLS/)
    const mysql = await thief(away, greeting("mysql_native_password"), () => undefined)
    assert.match(await tried(`mysql://daybook:${PASSWORD}@${away}:${mysql.port}/books`), /offers no TLS/)
    for (const { close, heard } of [postgres, mysql]) {
      close()
      assert.notMatch(heard().toString("latin1"), /daybook|s3cret/)
    }
  })
})
