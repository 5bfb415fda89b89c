/** Addresses that a stranger enters: those of this network are not read for them. */
import { assert, describe, it } from "@effect/vitest"
import { reachProblem } from "../../core/Reach.ts"

const SERVED = "https://connect.example.com"

const NAMES: Readonly<Record<string, ReadonlyArray<string>>> = {
  "shop.example.com": ["93.184.215.14"],
  "sneaky.example.com": ["93.184.215.14", "10.0.0.5"],
  "sixth.example.com": ["fd00::1"]
}

const problem = (text: string, served = SERVED) => reachProblem(text, served, async (name) => NAMES[name] ?? [])

describe("an address that a stranger enters", () => {
  it("may be one of the internet, and no other, however it is written", async () => {
    for (const text of [
      "https://shop.example.com/wp",
      "https://93.184.215.14",
      "https://[2606:4700::1111]",
      "my-shop",
      "a key: with a colon",
      "ck_1:cs_2"
    ])
      assert.isUndefined(await problem(text), text)
    for (const text of [
      "http://localhost:4020",
      "http://127.0.0.1",
      "http://2130706433/",
      "http://0x7f.1/",
      "http://[::1]/",
      "http://[::ffff:127.0.0.1]/",
      "http://[::ffff:a9fe:a9fe]/",
      "http://169.254.169.254/latest/meta-data",
      "https://10.1.2.3",
      "http:/127.0.0.1:48200",
      "http:127.0.0.1:48200",
      "http:\\\\127.0.0.1:48200",
      "https:/10.0.0.1:22",
      "\u0000https://10.0.0.1",
      "ht\ntps://10.0.0.1",
      "https:\t//10.0.0.1",
      "https://[::127.0.0.1]",
      "https://[2002:7f00:1::]",
      "https://[64:ff9b:1::7f00:1]",
      "https://[2001:0:7f00:1::]",
      "https://[2001:db8::1]",
      "https://[fec0::1]",
      "https://[::ffff:0:127.0.0.1]",
      "https://[::ffff:8.8.8.8]",
      "https://192.88.99.1",
      "https://203.0.113.7",
      "https://nas.home.arpa",
      "https://pc.localdomain..",
      "https://router.local",
      "https://intranet/",
      "postgres://user:pass@192.168.1.4/books",
      "https://sneaky.example.com",
      "https://sixth.example.com"
    ])
      assert.include(String(await problem(text)), "is not an address on the internet", text)
    assert.notInclude(String(await problem("postgres://user:pass@192.168.1.4/books")), "pass")
  })

  it("must begin with https://, and cannot name a file of this machine", async () => {
    assert.include(String(await problem("http://shop.example.com/wp")), "with https://")
    assert.include(String(await problem("file:///etc/passwd")), "a file on this machine cannot be read")
  })

  it("may be this machine where the pages are served to this machine alone", async () => {
    assert.isUndefined(await problem("http://127.0.0.1:8080", "http://localhost:4020"))
  })
})
