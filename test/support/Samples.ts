/**
 * What the conformance kit tries each connector on, by the connector's name.
 */
import { connectors } from "../../connectors/index.ts"
import type { Entry } from "../../connectors/Entry.ts"

export const samples: Readonly<Record<string, Entry["sample"]>> = Object.fromEntries(
  connectors.map(({ name, sample }) => [name, sample])
)
