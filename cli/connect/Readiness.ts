/** Checks the requirements for serving links, and deletes what unfinished links left behind. */
import { Clock, Effect } from "effect"
import type { Connector } from "../../connectors/Connector.ts"
import { variables } from "../../connectors/Secrets.ts"
import * as Links from "../../sync/connect/Links.ts"
import { ConfigError, type Configuration } from "../../sync/library/config/Configuration.ts"
import * as Connecting from "../../sync/library/Connecting.ts"
import { accepts, givenOf, needsOf } from "../../sync/library/SourceNeeds.ts"
import type { Connection } from "../../sync/model/Connection.ts"
import * as ConnectorContext from "../../sync/pull/ConnectorContext.ts"
import type { Db } from "../../sync/state/Database.ts"

/** Whether a setting is an address, and not any text. */
const isAddress = (connector: Connector, template: Readonly<Record<string, unknown>>, name: string): boolean =>
  accepts(connector, givenOf(template), name, "https://shop.example.com") &&
  !accepts(connector, givenOf(template), name, "shop")

/** Checks that each source can be offered: it is known, its app is named, and there is a key to encrypt its secrets. */
export const checked = (configuration: Configuration) =>
  Effect.gen(function* () {
    const sources = yield* Connecting.sourcesOf(configuration)
    const problems: Array<string> = []
    for (const [index, source] of sources.entries()) {
      const at = `daemon.connect.sources[${index}]`
      if (typeof source === "string") {
        problems.push(`${at}.connector: ${source}`)
        continue
      }
      const { connector, template } = source
      if (connector.capabilities.onThisMachine === true && !Connecting.isFiles(source)) {
        problems.push(
          `${at}.connector: ${connector.name} cannot be offered, because its settings may name files and servers of this machine; write its connection in the configuration yourself`
        )
        continue
      }
      const asks = needsOf(connector, template).filter(
        ({ name, secret }) => !secret && isAddress(connector, template, name)
      )
      const [address] = asks
      if (address !== undefined && variables(givenOf(template)).length > 0) {
        problems.push(
          `${at}.${address.name}: people enter it, and the secrets that you wrote for everybody would be sent there; let people enter those too, or write the address`
        )
        continue
      }
      const app = connector.capabilities.authorises === "oauth2"
      const lacking = needsOf(connector, template).filter(
        ({ name, secret }) => app && secret && template[name] === undefined
      )
      for (const { name } of lacking) problems.push(`${at}.${name}: is missing; it is the same for everybody`)
      const keyless = !Connecting.isFiles(source)
      const as = { id: source.name, connector, settings: givenOf(template), planning: {} } as unknown as Connection
      const seals = keyless
        ? yield* ConnectorContext.seals(configuration, as).pipe(Effect.orElseSucceed(() => undefined))
        : true
      if (seals === undefined)
        problems.push(
          `${at}: what people enter is sealed: set DAYBOOK_SEAL to 32 bytes in base64, or DAYBOOK_SEAL_FILE to a file that holds them`
        )
    }
    if (problems.length > 0) return yield* new ConfigError({ file: configuration.file, problems })
  })

/** Deletes what unfinished links left behind. */
export const tidied = (configuration: Configuration, db: Db) =>
  Effect.gen(function* () {
    const { connect } = configuration.daemon
    if (connect === undefined) return
    const now = yield* Clock.currentTimeMillis
    const sources = (yield* Connecting.sourcesOf(configuration)).filter((one) => typeof one !== "string")
    for (const link of yield* db.read(() => Links.abandoned(db, now))) {
      const connecting = { configuration, connect, db, link, sources }
      yield* Connecting.drop(connecting)
      yield* db.transaction(() => Links.end(db, link, "cancelled", now))
      // An upload that was on its way may have come to its end meanwhile.
      yield* Connecting.drop(connecting)
    }
  }).pipe(Effect.catch((error) => Effect.logWarning(`links that expired were not tidied: ${error.message}`)))
