/**
 * How often connectors ask their sources, as the conformance kit counts it: a first reading against its full pages, a
 * reading of nothing new, and one of a few changed records. Of each, the connector that comes closest to what is allowed.
 */
import { connectors } from "../../connectors/index.ts"
import { type COUNTED, type Counted, counts } from "../../connectors/testing/Requests.ts"
import { atMost, type Figure } from "./Figure.ts"

const NAMES = {
  first: "requests: a first reading; 1.2 times full pages and 10",
  quiet: "requests: nothing new; 5",
  changes: "requests: 30 changed records; two each, their pages and 5"
} as const

type What = keyof typeof NAMES

/** The kit's check of each, which a connector's sample may leave out with a reason. */
const CHECKS: Readonly<Record<What, keyof typeof COUNTED>> = {
  first: "reads its lists in full pages",
  quiet: "asks little when nothing changed",
  changes: "asks at most twice for what changed"
}

interface Found extends Counted {
  readonly connector: string
  /** Why the kit lets it ask more, where it does. */
  readonly why: string | undefined
}

const all = async (): Promise<Readonly<Record<What, ReadonlyArray<Found>>>> => {
  const found: Record<What, Array<Found>> = { first: [], quiet: [], changes: [] }
  for (const { sample } of connectors) {
    const { subject } = await sample()
    const counted = await counts(subject)
    for (const what of Object.keys(NAMES) as ReadonlyArray<What>) {
      const one = counted?.[what]
      if (one !== undefined)
        found[what].push({ ...one, connector: subject.connector.name, why: subject.skips?.[CHECKS[what]] })
    }
  }
  return found
}

const noteOf = (closest: Found, found: ReadonlyArray<Found>): string => {
  const more = found.filter(({ most, took }) => took > most)
  if (more.length === 0) return `${closest.connector}, which comes closest to it; ${found.length - 1} others ask less`
  return `${more.map(({ connector, took, why }) => `${connector} asks ${took} times${why === undefined ? "" : ` (${why})`}`).join("; ")}; ${found.length - more.length} others keep to it`
}

export const figures = async (): Promise<ReadonlyArray<Figure>> => {
  const found = await all()
  return (Object.keys(NAMES) as ReadonlyArray<What>).flatMap((what) => {
    const [closest] = found[what].toSorted((a, b) => b.took / b.most - a.took / a.most)
    if (closest === undefined) return []
    const { most, took } = closest
    return atMost(NAMES[what], 1, {
      ours: `${took}`,
      baseline: `${most}`,
      ratio: took / most,
      note: noteOf(closest, found[what])
    })
  })
}
