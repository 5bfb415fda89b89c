/**
 * The conformance kit's sample of each connector, by name.
 */
import { connectors } from "../../connectors/index.ts"
import type { Entry } from "../../connectors/Entry.ts"

export const samples: Readonly<Record<string, Entry["sample"]>> = Object.fromEntries(
  connectors.map(({ name, sample }) => [name, sample])
)
