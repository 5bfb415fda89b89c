/** A life by seed, of a seller's money or of a shop's orders; and the shortest story of one that still fails in the same way. */
import { shorten } from "../simulation/Story.ts"
import type { Failure } from "./judge/Judge.ts"
import { play, type Played } from "./Life.ts"
import { playShop } from "./ShopLife.ts"
import { reachedBy } from "./Situations.ts"
import { planOf } from "./truth/People.ts"
import { shopPlanOf } from "./truth/Storekeeper.ts"

export interface Life {
  readonly seed: number
  /** Which systems there are. */
  readonly setting: string
  readonly parts: ReadonlyArray<string>
  /** What may happen in it. */
  readonly kinds: ReadonlySet<string>
  readonly play: (without?: ReadonlySet<string>) => Promise<Played>
}

const partsOf = ({
  happenings,
  syncs
}: {
  readonly happenings: ReadonlyArray<{ readonly id: string; readonly kind: string }>
  readonly syncs: ReadonlyArray<number>
}): Pick<Life, "parts" | "kinds"> => ({
  parts: [...happenings.map(({ id }) => id), ...syncs.map((day) => `sync.${day}`)],
  kinds: new Set(happenings.map(({ kind }) => kind))
})

const words = (of: object): string =>
  Object.entries(of)
    .map(([name, value]) => (typeof value === "object" ? `${name} (${words(value)})` : `${name} ${value}`))
    .join(", ")

/** Even seeds are sellers with books, odd ones shops. */
export const lifeOf = (seed: number): Life => {
  const half = Math.floor(seed / 2)
  if (seed % 2 === 0) {
    const plan = planOf(half)
    return {
      seed,
      setting: words(plan.style),
      ...partsOf(plan),
      play: (without) => play(plan, without)
    }
  }
  const plan = shopPlanOf(half)
  const cent = plan.cent === 0n ? {} : { authorised: plan.cent > 0n ? "a cent more" : "a cent less" }
  return {
    seed,
    setting: words({ ...plan.style, ...cent }),
    ...partsOf(plan),
    play: (without) => playShop(plan, without)
  }
}

/** The situations that a life came to. */
export const reached = ({ setting }: Life, { story }: Played): ReadonlySet<string> => reachedBy(setting, story)

/** What a failure is called: two of one name are of one kind. */
export const nameOf = ({ about, kind }: Pick<Failure, "about" | "kind">, { setting }: Pick<Life, "setting">): string =>
  `${kind}: ${about} (${/^(?:kind|books \(program) (\w+)/.exec(setting)?.[1] ?? "books"})`

export const shortest = async (life: Life, name: string): Promise<Played> => {
  const fails = async (without: ReadonlySet<string>) =>
    (await life.play(without)).failures.some((one) => nameOf(one, life) === name)
  return life.play(
    await shorten(
      life.parts.map((id) => ({ id, what: "" })),
      fails
    )
  )
}

export const told = ({ failures, story }: Played): ReadonlyArray<string> => [
  ...story.map(({ day, kind, what }) => `  day ${day}: ${what}${kind === "sync" ? "" : ` [${kind}]`}`),
  ...failures.map(({ about, day, kind, what }) => `  → day ${day}, ${kind}: ${about}: ${what}`)
]
