import { describe, expect, test } from 'vitest'
import { derivedId, isUuid, nameBasedUuid, newId } from '../../src/kernel/ids.ts'

describe('ids that the service derives', () => {
  // Of RFC 9562, appendix A.4, and of Python's uuid.uuid5.
  test.each([
    ['6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com', '2ed6657d-e927-568b-95e1-2665a8aea6a2'],
    ['6ba7b811-9dad-11d1-80b4-00c04fd430c8', 'https://example.com/ä', 'afdef7ba-7312-5e42-ac2d-ed60cef58139'],
  ])('version 5 in %s of %s', (namespace, name, id) => {
    expect(nameBasedUuid(namespace, name)).toBe(id)
  })

  test('are the same for the same parts only, and the platform takes them', () => {
    const ids = [derivedId('call', 'one', 'two'), derivedId('call', 'one two'), derivedId('call', 'on', 'etwo')]
    expect(new Set(ids).size).toBe(3)
    expect(derivedId('call', 'one', 'two')).toBe(ids[0])
    for (const id of [...ids, newId()]) expect(isUuid(id)).toBe(true)
    for (const id of ids) expect(id).toMatch(/^.{14}5.{4}[89ab]/)
  })

  test.each(['0', '6', '7', '8', 'f'])('version %s is none that the platform takes', (version) => {
    expect(isUuid(`11111111-1111-${version}111-8111-111111111111`)).toBe(false)
  })
})
