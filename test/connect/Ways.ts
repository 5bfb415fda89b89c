/** The ways on which a person sets up files: what a browser sees of the page's set-up and of a link, by HTTP. */
import { ENVIRONMENT, type Platform, visitor } from "./Desk.ts"

type Files = Readonly<Record<string, string>>

/** As a person reads it. */
export const textOf = (page: string): string =>
  page
    .replace(/<head>[\s\S]*?<\/head>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ")

const formOf = (page: string): string => /name="form" value="([^"]+)"/.exec(page)![1]!

/** Somebody who is signed in to the page. */
export const signedIn = async ({ daemon: { url } }: Platform) => {
  const login = new URLSearchParams({ password: ENVIRONMENT.PAGE_PASSWORD })
  const entered = await fetch(`${url}/login`, { method: "POST", redirect: "manual", body: login })
  const cookie = entered.headers.get("set-cookie")!.split(";")[0]!
  const at = async (path: string, body?: FormData | URLSearchParams): Promise<string> =>
    (
      await fetch(`${url}${path}`, { headers: { cookie }, ...(body === undefined ? {} : { method: "POST", body }) })
    ).text()
  /** What the page says of files. */
  return async (files: Files): Promise<string> => {
    let page = await at("/connections/new")
    for (const [name, text] of Object.entries(files)) {
      const body = new FormData()
      body.set("form", formOf(page))
      body.set("file", new File([text], name))
      page = await at(/action="(\/setup\/[^"]*files)"/.exec(page)![1]!, body)
    }
    // Whose books they are no file says.
    const body = new URLSearchParams({ form: formOf(page), "answer:name": "Acme" })
    return page + (await at(`${/action="(\/setup\/[^"]*)files"/.exec(page)![1]!}look`, body))
  }
}

/** What a link says of files. */
export const byLink = async (one: Platform, files: Files, tenant: string): Promise<string> => {
  const here = await visitor(one, tenant)
  await here.post("source", { connector: "files" })
  for (const [name, text] of Object.entries(files)) await here.post("upload", {}, new File([text], name))
  await here.post("uploaded", {})
  return here.page()
}
