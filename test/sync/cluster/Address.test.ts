/** Tests how a server of PostgreSQL is verified, by its address. */
import { describe, expect, it } from "vitest"
import { addressOf } from "../../../sync/state/replication/postgres/Address.ts"

const read = (path: string) => {
  if (path === "/none.pem") throw new Error("no such file")
  return `content of ${path}`
}
const ssl = (url: string) => {
  const address = addressOf(url, read)
  return typeof address === "string" ? address : address.ssl
}

describe("a server of PostgreSQL", () => {
  it("on another machine must prove that it is the one named, unless its address says otherwise", () => {
    expect(ssl("postgres://daybook@db.example.com/daybook")).toEqual({})
    expect(ssl("postgres://daybook@192.0.2.7/daybook")).toEqual({})
    expect(ssl("postgres://daybook@[2001:db8::7]/daybook")).toEqual({})
    expect(ssl("postgres://daybook@db/daybook?sslmode=verify-full&sslrootcert=/ca.pem")).toEqual({
      ca: "content of /ca.pem"
    })
    expect(ssl("postgres://daybook@db/daybook?sslmode=disable")).toBe(false)
    expect(addressOf("postgres://daybook@db:5433/daybook?sslmode=disable&application_name=a", read)).toMatchObject({
      url: "postgres://daybook@db:5433/daybook?application_name=a"
    })
  })

  it("on this machine needs no TLS, and is verified where its address asks for it", () => {
    for (const host of ["localhost", "127.0.0.1", "[::1]"])
      expect(ssl(`postgres://daybook@${host}/daybook`)).toBe(false)
    expect(ssl("postgres://daybook@localhost/daybook?sslmode=verify-full")).toEqual({})
    expect(ssl("postgres://daybook@localhost/daybook?sslrootcert=/ca.pem")).toMatchObject({ ca: "content of /ca.pem" })
  })

  it("is refused with a setting that promises more than it holds, or cannot be read", () => {
    for (const mode of ["prefer", "require", "verify-ca", "no-verify", "verify_full"])
      expect(ssl(`postgres://daybook@db/daybook?sslmode=${mode}`)).toContain("write sslmode=verify-full")
    for (const other of ["ssl=0", "uselibpqcompat=true", "host=elsewhere"])
      expect(ssl(`postgres://daybook@db/daybook?${other}`)).toContain("is not supported")
    expect(ssl("postgres://daybook@db/daybook?sslrootcert=/none.pem")).toContain(
      "sslrootcert in its address cannot be read"
    )
    expect(ssl("mysql://db/daybook")).toContain("write the address of PostgreSQL")
  })
})
