/** What is said of each connector where all are listed; the bundle has it as a table, made when it is built. */
import type { Connector } from "./Connector.ts"
import { connectors } from "./index.ts"

export type ConnectorSummary = Pick<Connector, "capabilities" | "name" | "title">

export const connectorSummaries = async (): Promise<ReadonlyArray<ConnectorSummary>> => {
  const all = await Promise.all(connectors.map(({ load }) => load()))
  return all.map(({ capabilities, name, title }) => ({ name, title, capabilities }))
}
