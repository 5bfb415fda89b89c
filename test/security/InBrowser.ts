/** What runs in a browser, on a page of another site or on one of the daemon: each function is sent there as it is written. */

/** An address, and the word of its session's forms, as if somebody had stolen it. */
export type Target = readonly [address: string, form: string]

/** Sends forms as a script does. */
export const fetched = async ([targets, fields, withFile = false]: readonly [
  ReadonlyArray<Target>,
  Readonly<Record<string, string>>,
  boolean?
]) => {
  for (const [target, form] of targets) {
    const body = withFile ? new FormData() : new URLSearchParams()
    for (const [name, value] of Object.entries({ form, ...fields })) body.set(name, value)
    if (body instanceof FormData) body.set("file", new File(["a,b\n1,2\n"], "books.csv"))
    await fetch(target, { method: "POST", mode: "no-cors", credentials: "include", body }).catch(() => undefined)
  }
}

/** Sends forms as a person does who is led to it, all of the page or in frames within it. */
export const submit = ([targets, fields, into]: readonly [
  ReadonlyArray<Target>,
  Readonly<Record<string, string>>,
  "_self" | "frame"
]) => {
  for (const [n, [target, word]] of targets.entries()) {
    const form = document.createElement("form")
    Object.assign(form, { method: "post", action: target, target: into === "frame" ? `frame-${n}` : into })
    for (const [name, value] of Object.entries({ form: word, ...fields })) {
      const field = document.createElement("input")
      Object.assign(field, { type: "hidden", name, value })
      form.append(field)
    }
    if (into === "frame") {
      const frame = document.createElement("iframe")
      frame.name = `frame-${n}`
      document.body.append(frame)
    }
    document.body.append(form)
    HTMLFormElement.prototype.submit.call(form)
  }
}

/** What a script does that got into the page, and what the page forbids of it. */
export const attack = async ([site, wanted]: readonly [string, number]) => {
  const forbidden = new Set<string>()
  document.addEventListener("securitypolicyviolation", (one) => forbidden.add(one.effectiveDirective))
  const add = (tag: string, members: object, attributes: Readonly<Record<string, string>> = {}) => {
    const made = Object.assign(document.createElement(tag), members)
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
    document.body.append(made)
    return made
  }
  const before = [document.querySelectorAll(".planted").length, document.body.innerText.includes('class="planted"')]
  add("script", { textContent: "window.ran = 'inline'" })
  add("script", { src: `${site}/x.js` })
  add("img", { src: "data:," }, { onerror: "window.ran = 'attribute'" })
  add("img", { src: `${site}/image` })
  add("style", { textContent: "body { color: red }" })
  add("link", { rel: "stylesheet", href: `${site}/style` })
  add("iframe", { src: `${site}/frame` })
  add("object", { data: `${site}/object`, type: "text/html" })
  add("a", { href: "javascript:window.ran = 'address'" }).click()
  const form = add("form", { action: `${site}/form`, method: "post", target: "_blank" }) as HTMLFormElement
  form.submit()
  add("base", { href: `${site}/` })
  await fetch(`${site}/fetch`).catch(() => undefined)
  // What is forbidden is told a moment later.
  for (let n = 0; n < 100 && forbidden.size < wanted; n++) await new Promise((resolve) => setTimeout(resolve, 100))
  return { forbidden: [...forbidden].toSorted(), ran: Reflect.get(window, "ran") ?? "nothing", before }
}

/** Shows these addresses within this page. */
export const embed = (addresses: ReadonlyArray<string>) => {
  for (const src of addresses) document.body.append(Object.assign(document.createElement("iframe"), { src }))
}
