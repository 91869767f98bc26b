import { fileURLToPath } from 'node:url'

/** Names the test file that runs in this tree, beside which `.reached` files list the blocks that it reached. */
export const currentTestFile = fileURLToPath(new URL('../../../.current-test', import.meta.url))
