// Prints what the published marts answer, through JDBC:
// java -cp duckdb_jdbc-1.5.6.0.jar ReadMarts.java marts.duckdb "select ..."
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Properties;

class ReadMarts {
    public static void main(String[] arguments) throws SQLException {
        var settings = new Properties();
        settings.setProperty("duckdb.read_only", "true");
        try (var marts = DriverManager.getConnection("jdbc:duckdb:" + arguments[0], settings);
                var question = marts.createStatement();
                var rows = question.executeQuery(arguments[1])) {
            while (rows.next()) {
                var cells = new ArrayList<String>();
                for (int n = 1; n <= rows.getMetaData().getColumnCount(); n++) {
                    cells.add(String.valueOf(rows.getObject(n)));
                }
                System.out.println(String.join("\t", cells));
            }
        }
    }
}
