export async function contestNew(_directory: string): Promise<number> { return 0 }
export async function contestStep(_step: string, _directory: string, _options: object): Promise<number> { return 0 }
