/** Says why a row cannot be read: the file's own name of the column, what is wrong, and what to do. */
export class Unreadable {
  readonly field: string | undefined
  readonly why: string
  /** The text that is not a valid date, if that is the reason. */
  readonly date: string | undefined
  constructor(why: string, field?: string, date?: string) {
    this.why = why
    this.field = field
    this.date = date
  }
}
