import { Parser } from '@asyncapi/parser'
import spectralCore from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { publishedContracts } from './contracts/documents.ts'

// Rules that do not fit: the service has no public address and no public licence, and tags are in the order in which a client needs them.
const leftOut = ['contact-properties', 'info-license', 'license-url', 'openapi-tags-alphabetical']

/** What Spectral's rules say against an OpenAPI document, all of its rules included. */
export async function openApiFaults(document: object): Promise<readonly string[]> {
  const spectral = new spectralCore.Spectral()
  const rules = Object.fromEntries(leftOut.map((rule) => [rule, 'off' as const]))
  spectral.setRuleset({ extends: [[{ ...rulesets.oas, extends: [] }, 'all']], rules })
  const found = await spectral.run(JSON.stringify(document))
  return found.map(({ path, message, code }) => `OpenAPI ${path.join('.')}: ${message} (${code})`)
}

/** What the rules of AsyncAPI say against a document. */
export async function asyncApiFaults(document: object): Promise<readonly string[]> {
  const { diagnostics } = await new Parser().parse(JSON.stringify(document))
  return diagnostics.map(({ path, message, code }) => `AsyncAPI ${path.join('.')}: ${message} (${code})`)
}

if (import.meta.main) {
  const { openApi, asyncApi } = publishedContracts()
  const faults = [...(await openApiFaults(openApi)), ...(await asyncApiFaults(asyncApi))]
  for (const fault of faults) console.log(fault)
  process.exitCode = faults.length === 0 ? 0 : 1
}
