/** Documents and entries are numbered without a gap: a number that is missing shows that something else is. */

export interface Numbers {
  readonly least: number
  readonly most: number
  readonly count: number
}

export const missingOf = ({ count, least, most }: Numbers): number => most - least + 1 - count

/** More numbers than these are left out by how a program numbers. */
export const mostMissing = (count: number): number => Math.max(2, Math.floor(count / 50))

export const addTo = (numbers: Numbers | undefined, one: number): Numbers => ({
  least: Math.min(numbers?.least ?? one, one),
  most: Math.max(numbers?.most ?? one, one),
  count: (numbers?.count ?? 0) + 1
})
