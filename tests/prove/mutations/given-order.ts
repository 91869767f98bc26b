import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Runs test files in the order in which `MUTATIONS_TESTS` names them, separated by commas. */
export class GivenOrder extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = (process.env['MUTATIONS_TESTS'] ?? '').split(',')
    const placeOf = ({ moduleId }: TestSpecification): number => order.findIndex((path) => moduleId.endsWith(path))
    return Promise.resolve(files.toSorted((left, right) => placeOf(left) - placeOf(right)))
  }
}
