/** `daybook connect`: authorises Daybook at a source, and stores the tokens encrypted beside the state file. */
import { Effect, Option, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import type { Authorisation } from "../../connectors/Connector.ts"
import * as Http from "../../connectors/Http.ts"
import * as OAuth from "../../connectors/OAuth.ts"
import type { Connection } from "../../sync/model/Connection.ts"
import { asker } from "../Ask.ts"
import * as OAuthCallback from "../OAuthCallback.ts"
import type { Configuration } from "../../sync/library/config/Configuration.ts"
import { UsageError } from "../../sync/library/Exit.ts"
import * as CommandContext from "../CommandContext.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import type { Keeping } from "../../sync/vault/Vault.ts"
import * as ConnectorContext from "../../sync/pull/ConnectorContext.ts"
import type { Output } from "../render/Output.ts"
import { table } from "../render/Table.ts"
import { link } from "./connectLink.ts"

const HOW =
  "set DAYBOOK_SEAL to 32 bytes in base64 (head -c 32 /dev/urandom | base64), or DAYBOOK_SEAL_FILE to a file that holds them, and keep them somewhere else than the state file"

/** The variables in settings: every `{ "env": "NAME" }`. */
const variables = (settings: unknown): ReadonlyArray<string> => {
  if (typeof settings !== "object" || settings === null) return []
  const values = Object.values(settings)
  const { env } = settings as { readonly env?: unknown }
  return values.length === 1 && typeof env === "string" ? [env] : [...new Set(values.flatMap(variables))]
}

const list = (configuration: Configuration, file: string, out: Output) =>
  Effect.gen(function* () {
    const rows: Array<ReadonlyArray<string>> = []
    for (const connection of configuration.connections) {
      const { connector, id, settings } = connection
      const { environment = {} } = yield* ConnectorContext.of(configuration, connection, file)
      const missing = variables(settings).filter((name) => (environment[name] ?? "") === "")
      const by =
        connector.authorisation !== undefined
          ? "the browser"
          : variables(settings).length > 0
            ? "a key"
            : "nothing is needed"
      rows.push([id, connector.name, by, missing.length === 0 ? "" : `${missing.join(", ")} not set`])
      yield* out.emit({ type: "connection", connection: id, connector: connector.name, authorises: by, missing })
    }
    yield* out.say(
      table(
        [{ title: "Connection" }, { title: "Source" }, { title: "Authorised by" }, { title: "", flexible: true }],
        rows,
        out
      )
    )
  })

/** Asks for the values of variables that are not set or stored; with `all`, of those that are not set in the environment. */
const ask = (names: ReadonlyArray<string>, connection: string, out: Output) =>
  Effect.gen(function* () {
    const given: Record<string, string> = {}
    const next = yield* asker
    for (const name of names) {
      const value = yield* next(name)
      if (value === "")
        return yield* new UsageError({
          why: `${connection}: no value was given for ${name}; type it, or pipe in one line for each of: ${names.join(", ")}`
        })
      given[name] = value
    }
    if (names.length > 0) yield* out.clear
    return given
  })

/** A connector may notice that its secret is wrong only when it reads something. */
const tryOut = (
  configuration: Configuration,
  { connector, id, settings }: Connection,
  environment: Record<string, string | undefined>
) =>
  connector.pull(settings, undefined, { folder: configuration.folder, environment }).pipe(
    Stream.take(1),
    Stream.runDrain,
    Effect.mapError((error) => new UsageError({ why: `${id}: ${error.message}. Nothing was saved` })),
    Effect.provide(ServiceClient.outside)
  )

const withKey = (
  configuration: Configuration,
  connection: Connection,
  key: ConnectorContext.Seals | undefined,
  file: string,
  out: Output
) =>
  Effect.gen(function* () {
    const { connector, id, settings } = connection
    const names = variables(settings)
    const asked = names.filter((name) => (configuration.environment[name] ?? "") === "")
    if (asked.length === 0) {
      yield* out.emit({ type: "connected", connection: id, kept: [] })
      return yield* out.say(
        names.length === 0
          ? `${id}: nothing to authorise; ${connector.name} needs no key.`
          : `${id}: nothing to save; the environment sets ${names.join(", ")}.`
      )
    }
    if (key === undefined) return yield* new UsageError({ why: `no key is set to seal its credentials with; ${HOW}` })
    const given = yield* ask(asked, id, out)
    yield* tryOut(configuration, connection, { ...configuration.environment, ...given })
    yield* keep(ConnectorContext.secrets(key, connection, file), given)
    yield* out.emit({ type: "connected", connection: id, kept: asked })
    yield* out.say(
      `Connected to ${connector.name}. ${asked.join(", ")} of ${id} ${asked.length === 1 ? "is" : "are"} sealed in ${file}.vault.`
    )
  })

/** The stored value; a new authorisation replaces a value that can no longer be decrypted. */
const readable = (sealed: Keeping) => Effect.catch(sealed.read, () => Effect.succeed(undefined))

const keep = (sealed: Keeping, given: Readonly<Record<string, string>>) =>
  Effect.flatMap(readable(sealed), (before) =>
    sealed.put(JSON.stringify({ ...(before === undefined ? {} : JSON.parse(before)), ...given }))
  )

/** Opens a page in the default browser; the address is also printed. */
const browse = (address: string) =>
  Effect.sync(() => {
    const [command, ...args]: readonly [string, ...ReadonlyArray<string>] =
      process.platform === "darwin"
        ? ["open"]
        : process.platform === "win32"
          ? ["rundll32", "url.dll,FileProtocolHandler"]
          : ["xdg-open"]
    spawn(command, [...args, address], { stdio: "ignore", detached: true })
      .once("error", () => {})
      .unref()
  })

/** The code in the source's redirect. */
const codeOf = (answered: URLSearchParams, id: string): Effect.Effect<string, UsageError> => {
  const code = answered.get("code")
  if (code !== null) return Effect.succeed(code)
  const reason = answered.get("error_description") ?? answered.get("error") ?? "no code was returned"
  return Effect.fail(new UsageError({ why: `${id}: authorisation failed (${reason}); nothing was saved` }))
}

type Reached = Effect.Success<ReturnType<NonNullable<Authorisation["reaches"]>>>

/** What the authorisation gives access to, and whether that matches the configuration. */
const sayReached = (reached: Reached, settings: Readonly<Record<string, unknown>>, file: string, out: Output) =>
  Effect.gen(function* () {
    for (const { name, setting, value } of reached) {
      const same = settings[setting] === value ? out.style.green("  as the configuration says") : ""
      yield* out.say(`  ${name === undefined ? "" : `${name}: `}${setting} ${value}${same}`)
    }
    if (reached.length > 0 && !reached.some(({ setting, value }) => settings[setting] === value))
      yield* out.say(out.style.yellow(`The configuration has another value; correct it in ${file}.`))
  })

const withBrowser = (
  configuration: Configuration,
  connection: Connection,
  key: ConnectorContext.Seals,
  {
    authorisation,
    browser,
    file,
    out,
    port
  }: {
    readonly authorisation: Authorisation
    readonly browser: boolean
    readonly port: number
    readonly file: string
    readonly out: Output
  }
) =>
  Effect.gen(function* () {
    const { connector, id, settings } = connection
    const { client, inBody, page, reaches, scopes, tokens } = authorisation
    const sealed = ConnectorContext.secrets(key, connection, file)
    const known = ConnectorContext.withSecrets(configuration.environment, yield* readable(sealed))
    const given = yield* ask(
      [client.id, client.secret].filter((name) => (known[name] ?? "") === ""),
      id,
      out
    )
    const environment = { ...known, ...given }
    const state = randomBytes(24).toString("base64url")
    const callback = yield* OAuthCallback.listen(port, state)
    const attempt = { redirect: callback.redirect, state, verifier: randomBytes(48).toString("base64url") }
    const granting = {
      connector: connector.name,
      tokens,
      inBody,
      client: {
        id: yield* Http.secret(connector.name, environment, client.id),
        secret: yield* Http.secret(connector.name, environment, client.secret)
      }
    }
    const address = OAuth.consent({ page, scopes }, granting.client.id, attempt)
    yield* out.emit({ type: "authorise", connection: id, address, redirect: callback.redirect })
    yield* out.say(
      `Approve access in the browser, as a user who may read the books. ${callback.redirect} must be registered with ${connector.name} as a redirect URI.\n\n  ${address}\n`
    )
    if (browser) yield* browse(address)
    const answered = yield* callback.answered
    const code = yield* codeOf(answered, id)
    // Stores the tokens first, because the code can be used only once.
    const granted = yield* ConnectorContext.tokens(key, connection, file).replace(
      OAuth.exchange(granting, code, attempt)
    )
    if (Object.keys(given).length > 0) yield* keep(sealed, given)
    yield* out.say(`Connected to ${connector.name}. The tokens of ${id} are sealed in ${file}.vault.`)
    const reached = yield* reaches?.(granted.access, answered) ?? Effect.succeed([])
    yield* out.emit({ type: "connected", connection: id, reaches: reached })
    yield* sayReached(reached, settings as Readonly<Record<string, unknown>>, configuration.file, out)
  }).pipe(Effect.scoped, Effect.provide(ServiceClient.outside))

export const connect = Command.make(
  "connect",
  {
    name: Argument.String("connection").pipe(
      Argument.withDescription("Id of a connection in the configuration; without it, all connections are listed"),
      Argument.optional
    ),
    port: Flag.Int("port").pipe(
      Flag.withDescription("Local port that the browser is redirected to"),
      Flag.withDefault(8976)
    ),
    browser: Flag.Boolean("browser").pipe(
      Flag.withDescription("Open the browser; the address is always shown"),
      Flag.withDefault(true)
    )
  },
  Effect.fn(function* ({ browser, name, port }) {
    const out = yield* CommandContext.output
    const configuration = yield* CommandContext.configuration
    const file = Option.getOrElse(yield* CommandContext.stateFile, () => CommandContext.DEFAULT_STATE)
    if (Option.isNone(name)) return yield* list(configuration, file, out)
    const connection = yield* CommandContext.connectionOf(configuration, name.value)
    const key = yield* ConnectorContext.seals(configuration, connection)
    const authorisation = connection.connector.authorisation?.(connection.settings)
    if (authorisation !== undefined) {
      if (key === undefined) return yield* new UsageError({ why: `no key is set to seal its tokens with; ${HOW}` })
      return yield* withBrowser(configuration, connection, key, { authorisation, browser, file, out, port })
    }
    return yield* withKey(configuration, connection, key, file, out)
  })
).pipe(
  CommandContext.help(
    "Authorise a connection: in the browser if the source uses OAuth, otherwise with a key that you type (it is not shown) or pipe in, one line for each variable. Credentials are tested, and stored encrypted beside the state file; variables set in the environment take precedence.",
    "Authorise a connection",
    "daybook connect # List the connections and what each needs",
    "daybook connect books # Authorise one of them"
  ),
  Command.withSubcommands([link])
)
