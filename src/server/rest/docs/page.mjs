// The page around Swagger UI: shows /openapi.json, searches in it, and uses the token of a sign-in that was sent from the page.
// @ts-nocheck -- runs in a browser, whose types are not the service's
/* oxlint-disable typescript/no-unsafe-return, typescript/no-unsafe-argument, typescript/no-unsafe-assignment -- without types of a browser */
/* oxlint-disable typescript/no-unsafe-call, typescript/no-unsafe-member-access -- without types of a browser */
/* global SwaggerUIBundle, document */

/** Each word must occur in the path, the method, the summary, the description or the tag. Swagger UI itself only searches in tags. */
function opsFilter(taggedOperations, phrase) {
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = (tag, entry) => {
    const operation = entry.get('operation')
    const texts = [tag, entry.get('path'), entry.get('method'), operation.get('summary'), operation.get('description')]
    const text = texts.join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  }
  return taggedOperations
    .map((group, tag) => group.update('operations', (operations) => operations.filter((entry) => matches(tag, entry))))
    .filter((group) => group.get('operations').size > 0)
}

const reference = SwaggerUIBundle({
  url: '/openapi.json',
  domNode: document.querySelector('#reference'),
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [{ fn: { opsFilter } }],
  layout: 'BaseLayout',
  filter: true,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  validatorUrl: 'none',
  responseInterceptor(response) {
    const token = response.body?.tokens?.accessToken?.token
    if (response.ok && token) reference.preauthorizeApiKey('bearer', token)
    return response
  },
  onComplete() {
    const search = document.querySelector('.operation-filter-input')
    search?.setAttribute('placeholder', 'Search paths and descriptions')
    search?.setAttribute('aria-label', 'Search paths and descriptions')
  },
})
