/** The first page: submits the company that the buyer chooses together with the form. */
import { load } from "/daybook-checkout.js"

const place = document.querySelector("#company")
const field = document.querySelector("[name=company]")
const { publicKey, sdk } = place.dataset

const search = load({ sdk, publicKey }).elements().create("companySearch", { country: "GB" })
search.on("companySelection", (company) => {
  field.value = company === null ? "" : JSON.stringify(company)
})
search.on("failure", ({ message }) => {
  place.textContent = `The company search is not available: ${message}`
})
search.mount("#company")

field.form.addEventListener("submit", (event) => {
  if (field.value !== "") return
  event.preventDefault()
  place.scrollIntoView()
})
