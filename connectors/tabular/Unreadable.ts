/** Why a row gives nothing: the file's own name of the column, what is wrong, and what to do. */
export class Unreadable {
  readonly field: string | undefined
  readonly why: string
  /** What was to be a date and is none. */
  readonly date: string | undefined
  constructor(why: string, field?: string, date?: string) {
    this.why = why
    this.field = field
    this.date = date
  }
}
