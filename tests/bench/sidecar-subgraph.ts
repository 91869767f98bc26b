import { createServer } from 'node:http'

/** Imitates a sidecar's own GraphQL server behind a gateway: answers `me` with prepared bytes. Prints its port. */
const answer = Buffer.from(
  JSON.stringify({ data: { me: { __typename: 'Me', role: 'USER', memberId: '20202020-0000-4000-8000-000000000002' } } }),
)

const server = createServer((request, response) => {
  request.resume().once('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length })
    response.end(answer)
  })
})
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' && address ? address.port : 0)
})
