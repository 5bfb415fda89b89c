/**
 * Turns whatever a connector failed with into a `SourceError` of its connection, with secrets redacted. Third-party
 * connectors may throw anything.
 */
import { Cause } from "effect"
import { type Connector, type ConnectorContext, reworded, SourceError, Unreadable } from "./Connector.ts"
import * as Secrets from "./Secrets.ts"

/** The parts of a connection that an error message needs. */
export interface Failing {
  readonly id: string
  readonly connector: Pick<Connector, "name">
  readonly settings: unknown
}

const words = (thrown: unknown): string => {
  try {
    return String(thrown)
  } catch {
    return "without words"
  }
}

export const thrownBy = (cause: Cause.Cause<unknown>): string => {
  const died = cause.reasons.find(Cause.isDieReason)
  if (died !== undefined) return words(died.defect)
  const failed = cause.reasons.find(Cause.isFailReason)
  if (failed === undefined) return "it was interrupted"
  return words(failed.error instanceof Error ? failed.error.message : failed.error)
}

export const failure = (
  { connector, id, settings }: Failing,
  { environment }: ConnectorContext,
  cause: Cause.Cause<unknown>
): SourceError => {
  const hide = Secrets.hiding(settings, environment)
  const failed = cause.reasons.find(Cause.isFailReason)?.error
  const reason =
    failed instanceof SourceError
      ? reworded(failed.reason, hide)
      : new Unreadable({ where: "the source", why: hide(`the connector failed: ${thrownBy(cause)}`) })
  return new SourceError({ connector: connector.name, connection: id, reason })
}
