/**
 * Reads the address of a database server: whom to connect to, and how TLS proves that it is the one. What is checked here is
 * what is connected to: the drivers get these parts, never the address. A server on another machine is used only over TLS and
 * only if its certificate names it, unless the address says otherwise.
 */
import { readFileSync } from "node:fs"
import { isIP, type LookupFunction } from "node:net"
import { resolve } from "node:path"

/** What a server's certificate must prove: nothing, that it is of a trusted authority, or also that it is of this host. */
export type Proof = "nothing" | "authority" | "host"

export interface Tls {
  readonly proves: Proof
  /** The authority, by default those that Node trusts; and a certificate and key of one's own. As PEM. */
  readonly files: { readonly ca?: string; readonly cert?: string; readonly key?: string }
}

export interface Target {
  readonly host: string
  readonly port: number | undefined
  /** The socket's file, or for PostgreSQL its folder. */
  readonly socket: string | undefined
  readonly user: string
  readonly password: string
  readonly database: string
  /** Undefined: no TLS. */
  readonly tls: Tls | undefined
  /** There is no TLS, and nobody wrote so: who answers does not get the password in a form that can be read. */
  readonly guarded: boolean
  /** Further settings of a session of PostgreSQL. */
  readonly options: string | undefined
  /** How the host's name is looked up as it is connected to; by default like any other. */
  readonly lookup?: LookupFunction
}

/** An address that cannot be used: what is wrong, and what to do. */
export class Unusable extends Error {
  readonly hint: string

  constructor(what: string, hint: string) {
    super(what)
    this.hint = hint
  }
}

/** The words of PostgreSQL and of MySQL; undefined: no TLS. */
const MODES: Readonly<Record<string, Proof | undefined>> = {
  disable: undefined,
  disabled: undefined,
  require: "nothing",
  required: "nothing",
  "no-verify": "nothing",
  "verify-ca": "authority",
  verify_ca: "authority",
  "verify-full": "host",
  verify_identity: "host"
}
const UNSAFE = ["allow", "prefer", "preferred"]

/** Parameters of both kinds of server, each in the words of PostgreSQL and of MySQL. */
const TLS = {
  mode: ["sslmode", "ssl-mode"],
  ca: ["sslrootcert", "ssl-ca"],
  cert: ["sslcert", "ssl-cert"],
  key: ["sslkey", "ssl-key"]
}
const POSTGRES = ["host", "port", "options", "application_name"]
const MYSQL = ["socket"]

const CHOICES =
  "write sslmode=verify-full (the default), verify-ca (any host with a certificate of the authority), require (encrypted, but by anybody who answers) or disable (not encrypted)"

/** Whether a host is this machine by its very name, so that nobody on the network can answer in its place. */
const isHere = (host: string): boolean =>
  host.toLowerCase() === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."))

export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The parameters of the address, each at most once; under any of its names. */
const parametersOf = (url: URL, known: ReadonlyArray<string>) => {
  const given = [...url.searchParams.keys()]
  const strange = given.find((name) => !known.includes(name))
  if (strange !== undefined) {
    // A password with an unescaped ? or & ends up here: only what looks like a name is repeated.
    const name = /^[a-z_-]{1,40}$/i.test(strange) ? `the parameter ${strange}` : "a parameter"
    throw new Unusable(`has ${name}, which is not supported`, `leave it out; supported are ${known.join(", ")}`)
  }
  return (names: ReadonlyArray<string>): string | undefined => {
    const [first, second] = given.filter((name) => names.includes(name))
    if (second !== undefined) throw new Unusable(`says ${names.join(" or ")} twice`, "write it once")
    return first === undefined ? undefined : (url.searchParams.get(first) ?? undefined)
  }
}

const proofOf = (mode: string): Proof | undefined => {
  const word = mode.toLowerCase()
  if (UNSAFE.includes(word))
    throw new Unusable(`says sslmode=${word}, which would do without TLS whenever the server offers none`, CHOICES)
  if (!Object.hasOwn(MODES, word)) throw new Unusable("says an sslmode that does not exist", CHOICES)
  return MODES[word]
}

/** Reads the files that the address names, relative to the configuration's folder. */
const filesOf = (value: (names: ReadonlyArray<string>) => string | undefined, folder: string): Tls["files"] => {
  const read = (names: ReadonlyArray<string>) => {
    const path = value(names)
    if (path === undefined) return undefined
    const wrong = `names a file for ${names[0]} that`
    const hint = "correct its path; it is relative to the configuration's folder"
    let text: string
    try {
      text = readFileSync(resolve(folder, path), "utf8")
    } catch (cause) {
      throw new Unusable(`${wrong} cannot be read (${(cause as NodeJS.ErrnoException).code})`, hint)
    }
    if (!text.includes("-----BEGIN ")) throw new Unusable(`${wrong} holds no certificate or key in PEM format`, hint)
    return text
  }
  const [ca, cert, key] = [read(TLS.ca), read(TLS.cert), read(TLS.key)]
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) }
}

/** @param folder the configuration's folder; throws `Unusable` */
export const targetOf = (url: URL, folder: string): Target => {
  const isPostgres = url.protocol.startsWith("postgres")
  const value = parametersOf(url, [...Object.values(TLS).flat(), ...(isPostgres ? POSTGRES : MYSQL)])
  const named = decoded(value(["host"]) ?? url.hostname).replace(/^\[|\]$/g, "")
  const host = named === "" ? "localhost" : named
  const socket = value(["socket"]) ?? (host.startsWith("/") ? host : undefined)
  const port = value(["port"]) ?? url.port
  const mode = value(TLS.mode)
  const files = socket === undefined ? filesOf(value, folder) : {}
  const isOpen = socket !== undefined || (mode === undefined && isHere(host) && files.ca === undefined)
  const asked = isOpen ? undefined : proofOf(mode ?? "verify-full")
  // An authority that is named is one to verify, as for other programs.
  const proves = asked === "nothing" && files.ca !== undefined ? "authority" : asked
  return {
    host,
    port: port === "" ? undefined : Number(port),
    socket,
    user: decoded(url.username),
    password: decoded(url.password),
    database: decoded(url.pathname.slice(1)),
    tls: proves === undefined ? undefined : { proves, files },
    guarded: isOpen && socket === undefined,
    options: value(["options"])
  }
}

/** The name of a place for messages. */
export const nameOf = ({ database, host, port, socket }: Target): string =>
  `${database === "" ? "the database" : database} on ${socket ?? `${host.includes(":") ? `[${host}]` : host}${port === undefined ? "" : `:${port}`}`}`
