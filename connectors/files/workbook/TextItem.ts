/**
 * Collects the text of a shared string or of a cell with its own: plain, or in runs with a format each. How it is pronounced
 * (`rPh`) is not part of it.
 */
export class TextItem {
  #plain = ""
  #runs: string | undefined
  #isInRun = false
  #isInText = false
  #pronounced = 0

  clear(): void {
    this.#plain = ""
    this.#runs = undefined
    this.#isInRun = this.#isInText = false
    this.#pronounced = 0
  }

  open(name: string): void {
    if (name === "t") this.#isInText = this.#pronounced === 0
    else if (name === "r") this.#isInRun = true
    else if (name === "rPh") this.#pronounced++
  }

  close(name: string): void {
    if (name === "t") this.#isInText = false
    else if (name === "r") this.#isInRun = false
    else if (name === "rPh") this.#pronounced--
  }

  add(text: string): void {
    if (!this.#isInText) return
    if (this.#isInRun) this.#runs = (this.#runs ?? "") + text
    else this.#plain += text
  }

  get text(): string {
    return unescaped(this.#runs ?? this.#plain)
  }
}

/** Characters that XML does not allow are written as `_x000D_`. */
export const unescaped = (text: string): string =>
  text.includes("_x")
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text
