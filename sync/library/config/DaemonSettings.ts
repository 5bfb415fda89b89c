/**
 * What a configuration says about the daemon as a whole: where it listens, how much it does at once, who may read its
 * figures, where its traces go, and how the service's webhooks are known to be the service's.
 */
import { Schema } from "effect"
import { secret } from "../../model/Secret.ts"
import { ConnectFile, type ConnectSettings } from "./ConnectSettings.ts"

export const Secret = secret("SERVICE_KEY")

const maybe = Schema.optionalKey

const Listen = Schema.String.check(
  Schema.isPattern(/^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):\d{1,5}$/u, {
    message: 'write an address and a port, like "127.0.0.1:4020"'
  })
)

const Url = Schema.String.check(Schema.isPattern(/^https?:\/\/[^\s/]+/u, { message: "write an http or https address" }))

/** What a token of the HTTP interface may do: look, see what would be sent, decide, have other people connect books. */
const SCOPES = ["read", "plan", "approve", "connect"] as const

export type TokenScope = (typeof SCOPES)[number]

const ApiToken = Schema.Struct({
  /** Recorded with what is decided by it. */
  name: Schema.NonEmptyString,
  token: Secret,
  scopes: Schema.NonEmptyArray(Schema.Literals(SCOPES))
})

export const DaemonFile = Schema.Struct({
  /** `127.0.0.1:4020` unless given. */
  listen: maybe(Listen),
  /** Names by which others reach it, through a proxy: requests by other names are refused. */
  hosts: maybe(
    Schema.Array(
      Schema.String.check(
        Schema.isPattern(/^[A-Za-z0-9.-]+$/u, { message: 'write a name without a port, like "daybook.example.com"' })
      )
    )
  ),
  /** Connections that are worked on side by side; 4 unless given. */
  at_once: maybe(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 64 }, { message: "write 1 to 64" }))),
  log: maybe(Schema.Literals(["text", "json"])),
  /** The `Authorization` header that was agreed with the service for its webhooks. */
  webhooks: maybe(Schema.Struct({ authorization: Secret })),
  /** The page asks for this password; without one, for the token that the daemon shows when it starts. */
  page: maybe(Schema.Struct({ password: Secret })),
  /** Who may use the HTTP interface; without tokens there is none. */
  api: maybe(Schema.Struct({ tokens: Schema.NonEmptyArray(ApiToken) })),
  /** Links by which other people connect their own books; without it there are none. */
  connect: maybe(ConnectFile),
  /** With this as bearer token `/metrics` is answered to other machines, too. */
  metrics: maybe(Schema.Struct({ token: Secret })),
  /** Traces, metrics and logs are sent to this OpenTelemetry collector. */
  telemetry: maybe(Schema.Struct({ url: Url, headers: maybe(Schema.Record(Schema.String, Secret)) }))
})

export interface DaemonSettings {
  readonly host: string
  readonly port: number
  readonly hosts?: ReadonlyArray<string>
  readonly atOnce: number
  readonly log: "text" | "json"
  /** Variables of the environment. */
  readonly authorization?: string
  readonly metricsToken?: string
  readonly pagePassword?: string
  /** Who may use the HTTP interface; `token` is a variable of the environment. */
  readonly api: ReadonlyArray<{
    readonly name: string
    readonly token: string
    readonly scopes: ReadonlyArray<TokenScope>
  }>
  readonly connect?: ConnectSettings
  readonly telemetry?: { readonly url: string; readonly headers: Readonly<Record<string, string>> }
}

/** `[::1]:80` as host and port. */
export const address = (listen: string): Pick<DaemonSettings, "host" | "port"> => {
  const at = listen.lastIndexOf(":")
  return { host: listen.slice(0, at).replace(/^\[|\]$/g, ""), port: Number(listen.slice(at + 1)) }
}

export const isAddress = Schema.is(Listen)

export const daemonOf = (file: typeof DaemonFile.Type = {}): DaemonSettings => ({
  ...address(file.listen ?? "127.0.0.1:4020"),
  atOnce: file.at_once ?? 4,
  ...(file.hosts === undefined ? {} : { hosts: file.hosts }),
  log: file.log ?? "text",
  api: (file.api?.tokens ?? []).map(({ name, scopes, token }) => ({ name, scopes, token: token.env })),
  ...(file.webhooks === undefined ? {} : { authorization: file.webhooks.authorization.env }),
  ...(file.page === undefined ? {} : { pagePassword: file.page.password.env }),
  ...(file.metrics === undefined ? {} : { metricsToken: file.metrics.token.env }),
  ...(file.connect === undefined ? {} : { connect: { ...file.connect, url: file.connect.url.replace(/\/+$/, "") } }),
  ...(file.telemetry === undefined
    ? {}
    : {
        telemetry: {
          url: file.telemetry.url.replace(/\/+$/, ""),
          headers: Object.fromEntries(
            Object.entries(file.telemetry.headers ?? {}).map(([name, { env }]) => [name, env])
          )
        }
      })
})
