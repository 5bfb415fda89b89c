/**
 * Lists the guards: they stop a run before its first call, until a person explicitly lets it pass.
 * What each one checks: `rules/Strange.ts`, `books/StrangeScans.ts`, `plan/Guards.ts`,
 * `plan/SettingChanges.ts`.
 */
export const GUARDS = ["G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8", "G9", "G10", "G11"] as const

export type Guard = (typeof GUARDS)[number]

/** The guards that a person lets pass, by either option. */
export const allowed = ({
  allow = [],
  allowReductions
}: {
  readonly allow?: ReadonlyArray<Guard>
  readonly allowReductions?: boolean
}): ReadonlyArray<Guard> => (allowReductions === true ? [...allow, "G1"] : allow)

export const isGuard = (text: string): text is Guard => GUARDS.some((one) => one === text)
