const record = { id: '20202020-0687-4c41-b707-ed1bfca972a7', name: 'Asha Rao', city: 'Pune', createdAt: '2026-01-15T09:00:00.000Z' }

/** A list of leads of at least so many bytes. */
export function answerOf(bytes: number): Buffer {
  const edges: unknown[] = []
  let size = 60
  while (size < bytes) {
    const edge = { node: { ...record, position: edges.length } }
    edges.push(edge)
    size += JSON.stringify(edge).length + 1
  }
  return Buffer.from(JSON.stringify({ data: { leads: { edges } } }))
}
