/** Every notation of every range that is not the internet, against the one check of what a stranger enters: none gets through. */
import { assert, describe, it } from "@effect/vitest"
import { isIP } from "node:net"
import { addressOfHost, isInside, reachProblem } from "../../core/Reach.ts"

/** One address of each range of IANA's registry, its first and last ones, and services that clouds have at one. */
const INSIDE = [
  ...["0.0.0.0", "0.1.2.3", "0.255.255.255", "10.0.0.0", "10.0.0.5", "10.255.255.255"],
  ...["100.64.0.0", "100.100.100.200", "100.127.255.255", "127.0.0.1", "127.1.2.3", "127.255.255.255"],
  ...["169.254.0.0", "169.254.169.254", "169.254.255.255", "172.16.0.0", "172.31.255.255"],
  ...["192.0.0.0", "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.0.0", "192.168.255.255"],
  ...["198.18.0.0", "198.19.255.255", "198.51.100.7", "203.0.113.7", "168.63.129.16"],
  ...["224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"]
]
const OUTSIDE = [
  "8.8.8.8",
  "93.184.215.14",
  "100.63.255.255",
  "100.128.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.167.255.255"
]

const hex = (n: number): string => n.toString(16)
const octal = (n: number): string => `0${n.toString(8)}`
const wide = (text: string): string => text.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))

/** How an IPv4 address may be written as a host. */
const written = (address: string): ReadonlyArray<string> => {
  const [a, b, c, d] = address.split(".").map(Number) as [number, number, number, number]
  const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
  const [high, low] = [hex((a << 8) | b), hex((c << 8) | d)]
  return [
    address,
    `${address}.`,
    `${whole}`,
    `0x${hex(whole)}`,
    `0X${hex(whole).toUpperCase()}`,
    octal(whole),
    `000${octal(whole)}`,
    [a, b, c, d].map((one) => `0x${hex(one)}`).join("."),
    [a, b, c, d].map(octal).join("."),
    `${a}.0x${hex(b)}.${octal(c)}.${d}`,
    `${a}.${b}.${(c << 8) | d}`,
    `${a}.${(b << 16) | (c << 8) | d}`,
    `0x${hex(a)}.${(b << 16) | (c << 8) | d}`,
    wide(address),
    address.replaceAll(".", "。"),
    address.replaceAll(".", "．"),
    address.replaceAll(".", "｡"),
    address.replace(/\d/, (digit) => `%3${digit}`),
    address.replaceAll(".", "%2e"),
    `user@${address}`,
    `user:word@${address}:8443`,
    `shop.example.com@${address}`,
    `shop.example.com%40x@${address}`,
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:FFFF:${high}:${low}]`,
    `[::${address}]`,
    `[::ffff:0:${address}]`,
    `[2002:${high}:${low}::1]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${high}:${low}]`,
    `[2001:0:${high}:${low}::]`,
    `[2001::${hex(~((a << 8) | b) & 0xffff)}:${hex(~((c << 8) | d) & 0xffff)}]`,
    `[fe80::5efe:${address}]`,
    `[2606:4700::5efe:${high}:${low}]`,
    `[2606:4700::200:5efe:${address}]`
  ]
}

const SIXES = [
  ...["::", "::1", "0:0:0:0:0:0:0:1", "100::1", "2001::1", "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1"],
  ...[
    "2002::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fd20:ce::254",
    "fe80::1",
    "febf::1",
    "fec0::1",
    "ff02::1"
  ]
]

const NAMES = [
  ...["localhost", "LOCALHOST", "localhost.", "a.localhost", "localhost.localdomain", "intranet", "metadata"],
  ...[
    "metadata.google.internal",
    "metadata.google.internal.",
    "instance-data.ec2.internal",
    "router.local",
    "nas.home.arpa"
  ],
  ...[
    "pc.lan",
    "box.home",
    "x.corp",
    "x.intranet",
    "x.private",
    "kubernetes.default.svc",
    "api.default.svc.cluster.local"
  ],
  ...[
    "db.service.consul",
    "x.test",
    "x.invalid",
    "x.onion",
    "x.alt",
    "ｌｏｃａｌｈｏｓｔ",
    "local%68ost",
    "lo\u00adcalhost"
  ]
]

const hosts = [...INSIDE.flatMap(written), ...SIXES.map((one) => `[${one}]`), ...NAMES]

/** How an address may be written around its host. */
const around = (host: string): ReadonlyArray<string> => [
  `https://${host}/shop`,
  `https:${host}`,
  `https:/${host}`,
  `https:\\\\${host}\\shop`,
  ` \thttps://${host}`,
  `ht\ntps://${host}`,
  `HTTPS:////${host}`
]

const served = "https://connect.example.com"
const nobody = async () => []

describe("an address of a network that is not the internet", () => {
  it("is not entered, in whatever notation", async () => {
    let [tried, through] = [0, [] as ReadonlyArray<string>]
    for (const host of hosts)
      for (const text of around(host)) {
        tried++
        // The client cannot parse it either, so it never connects.
        const isAddress = URL.canParse(text)
        const problem = await reachProblem(text, served, nobody)
        if (isAddress && problem === undefined) through = [...through, text]
      }
    assert.deepStrictEqual(through, [])
    assert.isAtLeast(tried, 7000)
    assert.isAtLeast(hosts.filter((host) => URL.canParse(`https://${host}`)).length, 300)
  })

  it("is not the host of a database or a mail server", async () => {
    for (const host of hosts) {
      const problem = await reachProblem(addressOfHost(host), "", nobody)
      assert.isDefined(problem, host)
    }
    for (const host of ["/run/postgresql", "%2Frun%2Fmysqld", "@abstract", "127.0.0.1:25", "fe80::1%eth0", "a b", ""])
      assert.isDefined(await reachProblem(addressOfHost(host), "", nobody), host)
  })

  it("is not connected to, whatever a name is looked up as", () => {
    for (const address of [...INSIDE, ...SIXES, "fe80::1%eth0", "::ffff:10.0.0.1", "64:ff9b::10.0.0.1", "nonsense"])
      assert.isTrue(isInside(address), address)
    for (const host of INSIDE.flatMap(written)) {
      const plain = host.replace(/^\[|\]$/g, "")
      if (isIP(plain) !== 0) assert.isTrue(isInside(plain), plain)
    }
  })

  it("is another one than those of the internet, which may be entered", async () => {
    for (const address of [...OUTSIDE, "[2606:4700::1111]", "[2a00:1450:4001::8a]"])
      assert.isUndefined(await reachProblem(`https://${address}/shop`, served, nobody), address)
  })
})
