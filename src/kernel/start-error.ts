/** A startup error that the operator of the service can fix. The message is written for the operator, so it is printed without a stack. */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StartError'
  }
}
