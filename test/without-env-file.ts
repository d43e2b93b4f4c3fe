/** The working folder of commands: a `.env` of the developer, in the folder of the clone, is no setting of a test. */
export const WITHOUT_ENV_FILE = import.meta.dirname;
