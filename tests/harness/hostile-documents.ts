/** Documents that no frontend sends: each is over a limit, or asks what strangers may not ask. The same ones for the same seed. */
export function hostileDocuments(): readonly string[] {
  const sizes = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89]
  const shapes: readonly ((size: number) => string)[] = [
    // Too deep.
    (size) => `{ ${'leads { '.repeat(31 + size)} id ${'}'.repeat(32 + size)}`,
    (size) => `{ leads ${'{ ... on Lead { a '.repeat(40 + size)}${'} }'.repeat(40 + size)} }`,
    (size) => '{'.repeat(5_000 + size),
    (size) => `{ leads(filter: ${'['.repeat(100 + size)}${']'.repeat(100 + size)}) { id } }`,
    (size) => `{ leads(filter: ${'{and: ['.repeat(12 + size)}${']}'.repeat(12 + size)}) { id } }`,
    // Too wide.
    (size) => `{ ${range(61 + size, (index) => `leads${index} { id }`)} }`,
    (size) => `{ leads { ${range(260 + size, (index) => `a${index}: name`)} } }`,
    (size) => `{ leads { ${range(260 + size, (index) => `a${index}: __typename`)} } }`,
    (size) => `{ leads { ${'id '.repeat(60 + size)} } }`,
    (size) => `{ leads { id ${range(260 + size, () => '@include(if: true)')} } }`,
    (size) => `{ leads { id } } #${'x'.repeat(1_000)}\n${'a '.repeat(16_000 + size)}`,
    (size) => `{ leads { ${range(15_000 + size, (index) => `f${index}`)} } }`,
    (size) => `query(${range(4_000 + size, (index) => `$v${index}: Int = 1`)}) { leads { id } }`,
    (size) => range(110 + size, (index) => `query Q${index} { leads { id } }`),
    (size) => range(260 + size, (index) => `fragment F${index} on Lead { id }`) + '{ leads { ...F0 } }',
    // Fragments that grow.
    (size) => bomb(20 + size),
    (size) => `{ __schema { ...F0 } } ${hollowBomb(20 + size)}`,
    (size) => `{ leads { id } viewer { ...F0 } } ${hollowBomb(20 + size)}`,
    (size) => `{ ... { ...F0 } __typename a${size}: __typename } ${hollowBomb(20 + size)}`,
    (size) => `{ leads { ...A } } ${range(size, (index) => `fragment A${index} on Lead { id }`)} fragment A on Lead { leads { ...A } }`,
    (size) => `{ leads { ...A } } fragment A on Lead { id${size} ...B } fragment B on Lead { ...A }`,
    (size) => `{ ...A } fragment A on Query { leads${size} { id } ...A }`,
    (size) => `{ ${range(60 + size, () => '...C0')} } ${range(240, (index) => `fragment C${index} on Query { ...C${index + 1} }`)}`,
    // What validation compares two by two.
    (size) => `{ viewer { ${range(150 + (size % 90), (index) => `...F${index}`)} } } ${crowd(150 + (size % 90))}`,
    (size) => `{ viewer { id } } ${crowd(150 + (size % 90))} fragment All on X { ${range(150 + (size % 90), (index) => `...F${index}`)} }`,
    (size) => `{ viewer { ${tree(9)} x${size} } }`,
    // Connections in connections.
    (size) => `{ ${'leads { edges { node { '.repeat(9 + size)} id ${'} } }'.repeat(9 + size)} }`,
    // The schema, for strangers.
    (size) => `{ __schema { types { name a${size}: kind } } }`,
    (size) => `{ a${size}: __type(name: "Lead") { name fields { name } } leads { id } }`,
    (size) => `{ ... on Query { ...S } } fragment S on Query { s${size}: __schema { queryType { name } } }`,
    (size) => `{ __schema { types { ${'fields { type { '.repeat(3)} n${size}: name ${'} } '.repeat(3)} } } }`,
    // All at once.
    (size) => `{ ${range(20, (index) => `a${index}: leads { ${range(20 + size, (inner) => `b${inner}: name`)} }`)} }`,
  ]
  return [...shapes.flatMap((shape) => sizes.map(shape)), ...shapes.flatMap((shape) => sizes.map((size) => shape(size + 100)))]
}

function range(count: number, text: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => text(index)).join(' ')
}

/** Each fragment spreads the next twice. */
function bomb(levels: number): string {
  const fragments = range(levels, (index) => `fragment F${index} on Lead { a${index} { ...F${index + 1} } b${index} { ...F${index + 1} } }`)
  return `{ leads { ...F0 } } ${fragments} fragment F${levels} on Lead { id }`
}

/** The same without a field: the last one is missing. */
function hollowBomb(levels: number): string {
  return range(levels, (index) => `fragment F${index} on Query { ...F${index + 1} ... { ...F${index + 1} } }`)
}

/** Fragments on one type that all select the same fields. */
function crowd(count: number): string {
  return range(count, (index) => `fragment F${index} on X { ${range(45, (field) => `f${field}`)} }`)
}

/** Each field stands there twice, and so does what is in it. */
function tree(levels: number): string {
  return levels === 0 ? 'x' : range(2, () => `a { ${tree(levels - 1)} }`)
}
