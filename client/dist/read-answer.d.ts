/** The members of an answer's body. */
export type Members = Readonly<Record<string, any>>;
/** Whether a body answers what was asked. */
export type IsExpected = (body: Members) => boolean;
/** Returns the body of a 200 that is expected; everything else is an error. `base` is what was signed. */
export declare function readAnswer(response: Response, base: string, isExpected: IsExpected): Promise<any>;
