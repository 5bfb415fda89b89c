/**
 * Every address that is not of the internet, in every notation that an address may have, against the one checker. The ranges are
 * those of IANA's registries of special-purpose addresses (iana-ipv4-special-registry, iana-ipv6-special-registry); the notations
 * are those that the WHATWG URL standard, which HTTP clients follow, reads as an address.
 */
import { assert, describe, it } from "@effect/vitest"
import { reachProblem } from "../../core/Reach.ts"

/** An address of each range; where something is often reached, that. */
const INSIDE_V4 = [
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.1",
  "10.255.255.254",
  "100.64.0.1",
  "100.127.255.254",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.254",
  "192.0.0.8",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.0.1",
  "192.168.255.254",
  "198.18.0.1",
  "198.19.255.254",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "239.255.255.250",
  "240.0.0.1",
  "255.255.255.255"
]

const INSIDE_V6 = [
  "::",
  "::1",
  "64:ff9b:1::1",
  "100::1",
  "2001::1",
  "2001:2::1",
  "2001:10::1",
  "2001:20::1",
  "2001:db8::1",
  "3fff::1",
  "5f00::1",
  "fc00::1",
  "fd12:3456:789a::1",
  "fe80::1",
  "fec0::1",
  "ff02::1"
]

const bytesOf = (address: string): ReadonlyArray<number> => address.split(".").map(Number)

/** The notations of an IPv4 address that a URL may hold. */
const v4 = (address: string): ReadonlyArray<string> => {
  const [a = 0, b = 0, c = 0, d = 0] = bytesOf(address)
  const whole = ((a * 256 + b) * 256 + c) * 256 + d
  const hex = (n: number) => n.toString(16)
  const octal = (n: number) => `0${n.toString(8)}`
  const pair = (x: number, y: number) => hex(x * 256 + y)
  return [
    address,
    `${address}.`,
    String(whole),
    `0x${hex(whole)}`,
    `0X${hex(whole).toUpperCase()}`,
    octal(whole),
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    [a, b, c, d].map(octal).join("."),
    [a, b, c, d].map((n) => `0x${hex(n)}`).join("."),
    `0x${hex(a)}.${octal(b)}.${c}.${d}`,
    `00000${octal(a)}.${b}.${c}.${d}`,
    // Full-width digits and dots, and percent-encoded ones, are the same to a URL.
    [...address].map((one) => (one === "." ? "。" : String.fromCodePoint((one.codePointAt(0) ?? 0) + 0xfee0))).join(""),
    [...address].map((one) => (one === "." ? one : `%${hex(one.codePointAt(0) ?? 0)}`)).join(""),
    // Within IPv6: mapped, compatible, translated, 6to4, NAT64, ISATAP.
    `[::ffff:${address}]`,
    `[::ffff:${pair(a, b)}:${pair(c, d)}]`,
    `[0:0:0:0:0:ffff:${address}]`,
    `[::${address}]`,
    `[::ffff:0:${address}]`,
    `[2002:${pair(a, b)}:${pair(c, d)}::]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${address}]`
  ]
}

const v6 = (address: string): ReadonlyArray<string> => {
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const [head = "", tail] = canonical.split("::")
  const groups = (text: string) => text.split(":").filter((one) => one !== "")
  const missing = 8 - groups(head).length - groups(tail ?? "").length
  const all = [
    ...groups(head),
    ...Array.from({ length: tail === undefined ? 0 : missing }, () => "0"),
    ...groups(tail ?? "")
  ]
  return [
    `[${address}]`,
    `[${address.toUpperCase()}]`,
    `[${all.join(":")}]`,
    `[${all.map((one) => one.padStart(4, "0")).join(":")}]`
  ]
}

/** What a person may write around a host. */
const AROUND: ReadonlyArray<(host: string) => string> = [
  (host) => `https://${host}`,
  (host) => `http://${host}/`,
  (host) => `https://${host}:8443/path?query#fragment`,
  (host) => `HTTPS://user:word@${host}/`,
  (host) => `https:${host}/`,
  (host) => `https:/${host}/`,
  (host) => `https:\\\\${host}\\`,
  (host) => `https:///${host}/`,
  (host) => `  https://${host}  `,
  (host) => `ht\ttps:/\n/${host}`,
  (host) => `https://shop.example.com@${host}/`,
  (host) => `https://shop.example.com%2f@${host}/`
]

const problem = (text: string) => reachProblem(text, "", async () => ["93.184.215.14"])

describe("addresses of this machine and its network", () => {
  it("are refused in every notation", { timeout: 60_000 }, async () => {
    const hosts = [...INSIDE_V4.flatMap(v4), ...INSIDE_V6.flatMap(v6), "localhost", "LOCALHOST.", "a.localhost"]
    const through: Array<string> = []
    let tried = 0
    for (const host of hosts)
      for (const around of AROUND) {
        tried++
        const text = around(host)
        if ((await problem(text)) === undefined) through.push(text)
      }
    assert.isAbove(new Set(hosts).size, 500)
    assert.isAbove(tried, 6000)
    assert.deepStrictEqual(through, [])
  })

  it("are not taken for those of the internet, which are let through", async () => {
    for (const text of [
      "https://93.184.215.14",
      "https://8.8.8.8:8443/x",
      "https://[2606:4700::1111]/",
      "https://shop.example.com"
    ])
      assert.isUndefined(await problem(text), text)
  })
})
