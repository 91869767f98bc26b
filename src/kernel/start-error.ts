/** A fault that whoever starts the service can mend. The message is written for them; a stack would only hide it. */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StartError'
  }
}
