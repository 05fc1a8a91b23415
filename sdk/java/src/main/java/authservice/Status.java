package authservice;

/** Whether a user may enter an application. */
public enum Status {
    /** The user may enter. */
    ENABLED("enabled"),
    /** The user may not. */
    DISABLED("disabled");

    final String text;

    Status(String text) {
        this.text = text;
    }

    static Status of(String text) {
        for (var status : values()) {
            if (status.text.equals(text)) return status;
        }
        throw new Json.Malformed("not a status");
    }
}
